import { type ForeignValue, type Problem, wordsOfProblem } from '../../lib/agent/events';
import type { JsonValue } from '../../lib/tools/tool';
import { isObject } from '../form/field';
import { samePath } from '../form/paths';
import { Told } from '../said';
import { t } from '../text';
import { JsonTree, Leaf } from '../value/JsonTree';

interface ArgumentRowsProps {
  arguments: JsonValue;
  problems?: readonly Problem[];
  /** Values that came from nowhere the user could have meant. */
  unsourced?: readonly string[];
  /** Values that only another site told. */
  foreign?: readonly ForeignValue[];
  /** The site that gets the values. */
  origin?: string;
  /** Everything is shown at once, whatever room it takes. */
  whole?: boolean;
}

/** A call's arguments, each beside what is wrong with it. */
export function ArgumentRows({
  arguments: args,
  problems = [],
  unsourced = [],
  foreign = [],
  origin = '',
  whole = false,
}: ArgumentRowsProps) {
  const names = isObject(args) ? Object.keys(args) : [];
  const values = isObject(args) ? args : {};
  const about = (name: string) => problems.filter((problem) => top(problem.path) === name);
  const missing = problems
    .map((problem) => top(problem.path))
    .filter((name) => name !== '' && !names.includes(name));
  const general = problems.filter((problem) => top(problem.path) === '');
  return (
    <div class="arguments">
      {!isObject(args) && args !== null && (
        <JsonTree value={args} label={t('arguments')} whole={whole} />
      )}
      {names.length + missing.length === 0 ? (
        <p class="quiet">{t('noArguments')}</p>
      ) : (
        <dl aria-label={t('arguments')}>
          {[...names, ...new Set(missing)].map((name) => (
            <div class="argument" key={name} data-invalid={about(name).length > 0}>
              <dt dir="auto">{name}</dt>
              <dd>
                <ArgumentValue
                  name={name}
                  value={Object.hasOwn(values, name) ? values[name] : undefined}
                  whole={whole}
                />
                <Doubts name={name} unsourced={unsourced} foreign={foreign} origin={origin} />
                {about(name).map((problem) => (
                  <p class="problem" key={problem.message}>
                    {!samePath(problem.path, [name]) && <bdi>{`${problem.path}: `}</bdi>}
                    <Told words={wordsOfProblem(problem)} />
                  </p>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {general.map((problem) => (
        <p class="problem" key={problem.message}>
          <Told words={wordsOfProblem(problem)} />
        </p>
      ))}
    </div>
  );
}

interface DoubtsProps {
  /** Of the argument. */
  name: string;
  unsourced: readonly string[];
  foreign?: readonly ForeignValue[] | undefined;
  origin: string;
}

/** Why an argument's value should be looked at twice. */
export function Doubts({ name, unsourced, foreign = [], origin }: DoubtsProps) {
  return (
    <>
      {foreign
        .filter((value) => top(value.argument) === name)
        .map((value) => (
          <p class="doubt" key={value.value} data-testid="other-site">
            {t('valueOfOtherSite', `\u2068${value.value}\u2069`, value.origin, origin)}
          </p>
        ))}
      {isUnsourced(unsourced, name) && <p class="doubt">{t('unsourced')}</p>}
    </>
  );
}

interface ArgumentValueProps {
  name: string;
  value: JsonValue | undefined;
  whole: boolean;
}

function ArgumentValue({ name, value, whole }: ArgumentValueProps) {
  if (value === undefined) return <span class="quiet">{t('missing')}</span>;
  if (typeof value === 'object' && value !== null)
    return <JsonTree value={value} label={name} whole={whole} />;
  return (
    <div class="argument-value" dir="auto">
      {value === '' ? (
        <span class="quiet">{t('emptyText')}</span>
      ) : (
        <Leaf value={value} whole={whole} />
      )}
    </div>
  );
}

function top(path: string): string {
  return path.split(/[./[]/).find((part) => part !== '') ?? '';
}

function isUnsourced(unsourced: readonly string[], name: string): boolean {
  return unsourced.some((entry) => entry === name || top(entry) === name);
}
