import { useState } from 'preact/hooks';
import { Recipe, type Settings, SiteSettings } from '../../lib/settings/settings';
import { Fold, Select } from '../controls';
import { Icon } from '../Icon';
import { OpenFile, withText } from '../OpenFile';
import { t } from '../text';
import { deferChoices, EXPOSURES } from '../tools/exposure';
import type { OptionsIntents } from './state';

interface SitesProps {
  settings: Settings;
  intents: Pick<OptionsIntents, 'changeSite' | 'exportSettings' | 'importSettings'>;
}

/** What is kept for single sites: exposure, the shim, and recipes; and all settings as a file. */
export function Sites({ settings, intents }: SitesProps) {
  const [adding, setAdding] = useState('');
  const origin = originOf(adding);
  const sites = Object.entries(settings.sites).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <section class="card" aria-labelledby="options-sites">
      <h2 id="options-sites">{t('optionsSites')}</h2>
      {sites.length === 0 && <p class="quiet">{t('sitesNone')}</p>}
      {sites.map(([name, site]) => (
        <Fold key={name} summary={<span>{name}</span>}>
          <Site origin={name} site={site} onChange={(next) => intents.changeSite(name, next)} />
        </Fold>
      ))}
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (!origin) return;
          intents.changeSite(origin, SiteSettings.parse({}));
          setAdding('');
        }}
      >
        <input
          aria-label={t('siteAdd')}
          placeholder="https://shop.example"
          value={adding}
          onInput={(event) => setAdding(event.currentTarget.value)}
        />
        <button type="submit" disabled={!origin}>
          {t('add')}
        </button>
      </form>
      <div class="buttons">
        <OpenFile
          icon="import"
          label={t('settingsImport')}
          onFiles={withText(intents.importSettings)}
        />
        <button type="button" onClick={intents.exportSettings}>
          <Icon name="export" />
          {t('settingsExport')}
        </button>
      </div>
    </section>
  );
}

function originOf(text: string): string | null {
  try {
    const url = new URL(text.includes('://') ? text : `https://${text}`);
    return text.trim() !== '' && ['http:', 'https:'].includes(url.protocol) ? url.origin : null;
  } catch {
    return null;
  }
}

interface SiteProps {
  origin: string;
  site: SiteSettings;
  onChange: (site: SiteSettings | null) => void;
}

function Site({ origin, site, onChange }: SiteProps) {
  const tools = Object.entries(site.tools);
  return (
    <div class="site">
      <Select
        label={t('deferLabel')}
        value={site.defer}
        choices={deferChoices()}
        onChange={(defer) => onChange({ ...site, defer })}
      />
      <Select
        label={t('siteShim')}
        value={site.shim === undefined ? 'default' : site.shim ? 'on' : 'off'}
        choices={[
          { value: 'default', label: t('siteShimDefault') },
          { value: 'on', label: t('on') },
          { value: 'off', label: t('off') },
        ]}
        onChange={(value) =>
          onChange({ ...site, shim: value === 'default' ? undefined : value === 'on' })
        }
      />
      {tools.length > 0 && (
        <ul class="rows">
          {tools.map(([name, exposure]) => (
            <li key={name}>
              <span dir="auto">{`${name}: ${t(EXPOSURES[exposure])}`}</span>
              <button
                type="button"
                class="small"
                aria-label={t('exposureForget', name)}
                onClick={() =>
                  onChange({
                    ...site,
                    tools: Object.fromEntries(tools.filter(([other]) => other !== name)),
                  })
                }
              >
                {t('forget')}
              </button>
            </li>
          ))}
        </ul>
      )}
      <RecipeField
        id={`recipe-${origin}`}
        recipe={site.recipe}
        onChange={(recipe) => onChange({ ...site, recipe })}
      />
      <div class="buttons">
        <button type="button" class="small danger" onClick={() => onChange(null)}>
          {t('siteForget')}
        </button>
      </div>
    </div>
  );
}

interface RecipeFieldProps {
  id: string;
  recipe: Recipe | undefined;
  onChange: (recipe: Recipe | undefined) => void;
}

function RecipeField({ id, recipe, onChange }: RecipeFieldProps) {
  const [text, setText] = useState(recipe ? JSON.stringify(recipe, null, 2) : '');
  const read = readRecipe(text);
  return (
    <div class="field">
      <label for={id}>{t('recipe')}</label>
      <textarea
        id={id}
        class="code"
        rows={5}
        spellcheck={false}
        value={text}
        aria-invalid={!read.ok}
        aria-describedby={`${id}-help`}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => {
          if (read.ok) onChange(read.recipe);
        }}
      />
      <p class={read.ok ? 'help' : 'problem'} id={`${id}-help`}>
        {read.ok ? t('recipeHelp') : t('recipeWrong', read.why)}
      </p>
    </div>
  );
}

type ReadRecipe = { ok: true; recipe: Recipe | undefined } | { ok: false; why: string };

function readRecipe(text: string): ReadRecipe {
  if (text.trim() === '') return { ok: true, recipe: undefined };
  try {
    const parsed = Recipe.strict().safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, recipe: parsed.data };
    const issue = parsed.error.issues[0];
    return { ok: false, why: issue ? `${issue.path.join('.')}: ${issue.message}` : '' };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
