import type {
  EngineDescription,
  EngineId,
  LoadProgress,
  ModelChoice,
} from '../../lib/agent/engine';
import type { HostStatus } from '../../lib/messages/host-api';
import type { Settings } from '../../lib/settings/settings';
import { Fold } from '../controls';
import { Icon } from '../Icon';
import { Told, tell } from '../said';
import { formatBytes, formatLanguage, formatList, formatNumber, plural, t } from '../text';
import { AddModel } from './AddModel';
import { ENGINE_NAMES } from './engine-names';
import type { ModelIntents } from './intents';
import { Progress } from './Progress';
import { proposeModel } from './propose';

interface ModelPickerProps {
  engines: readonly EngineDescription[] | null;
  status: HostStatus['engine'] | null;
  /** What the user chose, which is loaded only when it is needed. */
  chosen: Pick<Settings, 'engine' | 'models'>;
  /** Copying of picked files, while it goes on. */
  importing: LoadProgress | null;
  intents: ModelIntents;
}

/** Which engine and model answers, what else could on this machine, and why the rest cannot. */
export function ModelPicker(props: ModelPickerProps) {
  const { engines, status, chosen, importing, intents } = props;
  if (!engines) return <p class="quiet">{t('modelsLooking')}</p>;
  const proposal = proposeModel(engines);
  const noModel = chosen.engine === 'instant' && status?.state !== 'loading';
  return (
    <div class="models">
      {status && <Current status={status} intents={intents} />}
      {noModel && proposal && (
        <section class="proposal" aria-label={t('modelProposal')}>
          <p>{t('modelProposalText', proposal.model.label)}</p>
          <Model
            engine={proposal.engine}
            model={proposal.model}
            status={status}
            chosen={chosen}
            intents={intents}
          />
        </section>
      )}
      {engines.filter(isInBuild).map((engine) => (
        <EngineModels
          key={engine.id}
          engine={engine}
          status={status}
          chosen={chosen}
          importing={importing}
          intents={intents}
        />
      ))}
    </div>
  );
}

/** Whether this build can run any of its models on any machine: what it cannot is not offered. */
const isInBuild = ({ models }: EngineDescription): boolean =>
  models.length === 0 || models.some(({ blocked }) => blocked?.said?.code !== 'program-missing');

interface EngineModelsProps {
  engine: EngineDescription;
  status: HostStatus['engine'] | null;
  chosen: Pick<Settings, 'engine' | 'models'>;
  importing: LoadProgress | null;
  intents: ModelIntents;
}

/** One engine's models: those that run here, and folded away those that do not, with the reason. */
function EngineModels({ engine, status, chosen, importing, intents }: EngineModelsProps) {
  const runs = engine.available ? engine.models.filter((model) => !model.blocked) : [];
  const blocked = engine.models.filter((model) => !runs.includes(model));
  const list = (models: readonly ModelChoice[]) =>
    models.map((model) => (
      <Model
        key={model.id}
        engine={engine.id}
        model={model}
        blocked={engine.available ? undefined : reasonOf(engine)}
        status={status}
        chosen={chosen}
        intents={intents}
      />
    ));
  return (
    <section class="engine" data-engine={engine.id}>
      <h3>{t(ENGINE_NAMES[engine.id])}</h3>
      {!engine.available && <p class="doubt">{reasonOf(engine)}</p>}
      {engine.id === 'instant' ? (
        <InstantChoice chosen={chosen} intents={intents} />
      ) : (
        <>
          {list(runs)}
          {engine.id === 'wllama' && engine.available && (
            <AddModel importing={importing} intents={intents} />
          )}
          {blocked.length > 0 && (
            <Fold summary={<span>{plural('modelsBlocked', blocked.length)}</span>}>
              <div class="models">{list(blocked)}</div>
            </Fold>
          )}
        </>
      )}
    </section>
  );
}

const reasonOf = ({ reason }: EngineDescription) =>
  reason ? tell(reason) : t('engineUnavailable');

function Current({ status, intents }: { status: HostStatus['engine']; intents: ModelIntents }) {
  if (status.state === 'loading') {
    return (
      <section class="current" aria-label={t('modelLoading')}>
        {status.progress ? <Progress progress={status.progress} /> : <p>{t('modelLoading')}</p>}
        <button type="button" class="small" onClick={intents.cancel}>
          {t('loadCancel')}
        </button>
      </section>
    );
  }
  if (status.state === 'failed') {
    return (
      <section class="current" aria-label={t('modelFailed')}>
        <p class="problem" role="alert">
          {status.error ? <Told words={status.error} /> : t('modelFailed')}
        </p>
        <button type="button" class="small" onClick={() => intents.choose(status.id, status.model)}>
          {t('loadAgain')}
        </button>
      </section>
    );
  }
  if (status.state === 'ready' && status.id !== 'instant') {
    return (
      <section class="current" aria-label={t('modelReady')}>
        <p>{t('modelInUse', status.model ?? status.id)}</p>
        <button type="button" class="small" onClick={intents.unload}>
          {t('unload')}
        </button>
      </section>
    );
  }
  return null;
}

interface ChoiceProps {
  chosen: Pick<Settings, 'engine' | 'models'>;
  intents: ModelIntents;
}

function InstantChoice({ chosen, intents }: ChoiceProps) {
  const inUse = chosen.engine === 'instant';
  return (
    <div class="model" data-in-use={inUse}>
      <p>{t('instantText')}</p>
      <button
        type="button"
        class="small"
        disabled={inUse}
        onClick={() => intents.choose('instant', undefined)}
      >
        {inUse ? t('inUse') : t('use')}
      </button>
    </div>
  );
}

interface ModelProps extends ChoiceProps {
  engine: EngineId;
  model: ModelChoice;
  status: HostStatus['engine'] | null;
  blocked?: string;
}

function Model({ engine, model, blocked, status, chosen, intents }: ModelProps) {
  const failed = status?.id === engine && status.state === 'failed';
  const inUse = chosen.engine === engine && chosen.models[engine] === model.id && !failed;
  const loading = status?.state === 'loading';
  const why = model.blocked ? tell(model.blocked) : blocked;
  return (
    <div class="model" data-model={model.id} data-in-use={inUse}>
      <p class="model-name">
        {model.installed && <Icon name="check" />}
        <span>{model.label}</span>
        {model.installed && <span class="hidden">{t('installed')}</span>}
      </p>
      <p class="small-print">{modelFacts(model)}</p>
      {model.goodAt && (
        <p class="small-print">
          <Told words={model.goodAt} />
        </p>
      )}
      {model.note && (
        <p class="small-print">
          <Told words={model.note} />
        </p>
      )}
      {why && <p class="doubt">{why}</p>}
      <div class="buttons">
        {model.installed && !inUse && model.sizeBytes > 0 && (
          <button
            type="button"
            class="small"
            aria-label={t('deleteModel', model.label)}
            onClick={() => intents.remove(engine, model.id)}
          >
            {t('delete')}
          </button>
        )}
        <button
          type="button"
          class="small"
          aria-label={`${model.label}: ${useLabel(model, inUse)}`}
          disabled={Boolean(why) || inUse || loading}
          onClick={() => intents.choose(engine, model.id)}
        >
          {!model.installed && model.sizeBytes > 0 && <Icon name="download" />}
          {useLabel(model, inUse)}
        </button>
      </div>
    </div>
  );
}

function useLabel(model: ModelChoice, inUse: boolean): string {
  if (inUse) return t('inUse');
  if (model.installed || model.sizeBytes === 0) return t('use');
  return t('downloadSize', formatBytes(model.sizeBytes));
}

function modelFacts(model: ModelChoice): string {
  return [
    model.sizeBytes > 0 ? formatBytes(model.sizeBytes) : '',
    model.memoryBytes ? t('modelMemory', formatBytes(model.memoryBytes)) : '',
    t('modelWindow', formatNumber(model.contextWindow)),
    model.languages && model.languages.length > 0
      ? formatList(model.languages.map(formatLanguage))
      : '',
    model.licence ?? '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
