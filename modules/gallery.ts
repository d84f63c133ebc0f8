import { defineWxtModule } from 'wxt/modules';

/** The gallery is for development: it is all of a build with `--mode gallery`, and no part of any other. */
export default defineWxtModule({
  setup(wxt) {
    const wanted = (name: string) => (name === 'gallery') === (wxt.config.mode === 'gallery');
    wxt.hook('entrypoints:found', (_, found) => {
      found.splice(0, found.length, ...found.filter((entry) => wanted(entry.name)));
    });
  },
});
