import type { SiteSettings } from '../../lib/settings/settings';
import type { Exposure } from '../../lib/tools/tool';
import type { Choice } from '../controls';
import { type MessageKey, t } from '../text';

/** `auto` leaves the choice to the site's rule. */
export type ExposureChoice = Exposure | 'auto';

export const EXPOSURES: Record<Exposure, MessageKey> = {
  direct: 'exposureDirect',
  deferred: 'exposureDeferred',
  hidden: 'exposureHidden',
};

/** What may be chosen for a tool; `now` is what the site's rule makes of it. */
export function exposureChoices(now: Exposure | undefined): Choice<ExposureChoice>[] {
  return [
    { value: 'auto', label: now ? t('exposureAutoNow', t(EXPOSURES[now])) : t('exposureAuto') },
    { value: 'direct', label: t('exposureDirect') },
    { value: 'deferred', label: t('exposureDeferred') },
    { value: 'hidden', label: t('exposureHidden') },
  ];
}

export function deferChoices(): Choice<SiteSettings['defer']>[] {
  return [
    { value: 'auto', label: t('deferAuto') },
    { value: 'always', label: t('deferAlways') },
    { value: 'never', label: t('deferNever') },
  ];
}
