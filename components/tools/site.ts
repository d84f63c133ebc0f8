import type { SiteSettings } from '../../lib/settings/settings';
import type { ExposureChoice } from './exposure';

/** The site's settings with one tool's exposure set, or left to the site's rule again. */
export function withExposure(
  site: SiteSettings,
  toolName: string,
  exposure: ExposureChoice,
): SiteSettings {
  const others = Object.entries(site.tools).filter(([name]) => name !== toolName);
  const tools = Object.fromEntries(
    exposure === 'auto' ? others : [...others, [toolName, exposure]],
  );
  return { ...site, tools };
}
