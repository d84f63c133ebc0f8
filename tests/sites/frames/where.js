// Every frame offers a tool of the same name that tells where it ran and how often.
window.ran = 0;
document.modelContext
  ?.registerTool({
    name: 'where',
    description: 'Tells where it ran',
    execute: async () => `${location.href.split('#')[0]} ${++window.ran}`,
  })
  .catch((error) => {
    window.refused = error.name;
  });
