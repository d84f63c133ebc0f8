import type { ListedTool } from '../../lib/messages/host-api';
import type { SiteSettings } from '../../lib/settings/settings';
import type { Exposure } from '../../lib/tools/tool';
import type { Choice } from '../controls';
import { tell } from '../said';
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

/** Why a tool reaches the model as it does; in the host's words where only they tell. */
export function exposureReason({ tool, exposure, exposureBy, reason }: ListedTool): string {
  switch (exposureBy) {
    case 'user':
      return t('exposureWhyUser', t(EXPOSURES[exposure]));
    case 'recipe':
      return t('exposureWhyRecipe', t(EXPOSURES[exposure]));
    case 'site':
      return t(exposure === 'deferred' ? 'exposureWhySiteDeferred' : 'exposureWhySiteDirect');
    case 'page':
      return tool.annotations?.debugging === true ? t('exposureWhyDebugging') : tell(reason);
    case 'auto':
      return exposure === 'direct' ? t('exposureWhyAuto') : tell(reason);
  }
}

export function deferChoices(): Choice<SiteSettings['defer']>[] {
  return [
    { value: 'auto', label: t('deferAuto') },
    { value: 'always', label: t('deferAlways') },
    { value: 'never', label: t('deferNever') },
  ];
}
