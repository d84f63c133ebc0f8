/** `npm run bench [-- name …]`: every benchmark, or those named. Ratios, measured in one run. */
const benches: Record<string, () => Promise<{ bench(): Promise<void> }>> = {
  calls: () => import('./calls'),
  exposure: () => import('./exposure'),
  page: () => import('./page'),
  router: () => import('./router'),
  views: () => import('./views'),
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!Object.hasOwn(benches, name)) {
    console.error(
      `There is no benchmark “${name}”. There are: ${Object.keys(benches).join(', ')}.`,
    );
    process.exit(1);
  }
}
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n# ${name}\n`);
  await (await load()).bench();
}
