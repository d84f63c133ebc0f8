// Lines and columns of this file are checked by tests.
const context = document.modelContext ?? navigator.modelContext;
window.ran = [];
function offer(name, execute, more = {}) {
  const gone = new AbortController();
  context.registerTool(
    { name, description: `The ${name} tool`, inputSchema: { type: 'object' }, execute, ...more },
    { signal: gone.signal },
  );
  return gone;
}
window.offer = offer;
window.gone = offer('add', ({ a, b }) => {
  window.ran.push('add');
  return { sum: a + b };
});
Object.freeze(context.registerTool(Object.freeze({
  name: 'frozen', description: 'A frozen tool', execute: () => 'cold',
})));
offer('fails', () => {
  throw new Error('the real reason');
});
window.callOwn = async (name, input, options) => {
  const tools = await context.getTools();
  const tool = tools.find((one) => one.name === name && (one.source ?? one.window) === window);
  return context.executeTool(tool, input, options);
};
