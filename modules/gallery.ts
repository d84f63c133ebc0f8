import { defineWxtModule } from 'wxt/modules';

/** The gallery is for development: it is built with `--mode gallery` alone, never into the product. */
export default defineWxtModule({
  setup(wxt) {
    wxt.hook('entrypoints:found', (_, found) => {
      if (wxt.config.mode === 'gallery') return;
      const at = found.findIndex((entry) => entry.name === 'gallery');
      if (at >= 0) found.splice(at, 1);
    });
  },
});
