import type { QuestionItem } from '../../lib/agent/transcript';
import type { JsonValue } from '../../lib/tools/tool';
import { isObject } from '../form/field';
import { SchemaForm } from '../form/SchemaForm';
import { Told } from '../said';
import { t } from '../text';
import { asJson } from '../value/as-json';
import { oneLine } from '../value/one-line';

interface QuestionProps {
  question: QuestionItem;
  onAnswer: (questionId: string, answer: JsonValue) => void;
}

/** Pagehand asks: pick one, or fill in what is missing. A dismissal is an answer too. */
export function Question({ question, onAnswer }: QuestionProps) {
  const { questionId, choices, form, state } = question;
  if (state !== 'open') {
    return (
      <div class="question" data-state={state}>
        <p>
          <Told words={question} />
        </p>
        <p class="quiet" dir="auto">
          {answerLine(question)}
        </p>
      </div>
    );
  }
  const schema = asJson(form?.schema);
  return (
    <section class="question" data-state="open" data-testid="question" aria-label={t('question')}>
      <p>
        <Told words={question} />
      </p>
      {choices.length > 0 && (
        <div class="choices">
          {choices.map((choice) => (
            <button
              type="button"
              key={choice.value}
              dir="auto"
              onClick={() => onAnswer(questionId, choice.value)}
            >
              {choice.label}
            </button>
          ))}
        </div>
      )}
      {form ? (
        <SchemaForm
          schema={isObject(schema) ? schema : undefined}
          values={asJson(form.values)}
          submitLabel={t('useValues')}
          onSubmit={(values) => onAnswer(questionId, values)}
          onCancel={() => onAnswer(questionId, null)}
        />
      ) : (
        <div class="buttons">
          <button type="button" class="small" onClick={() => onAnswer(questionId, null)}>
            {t('dismiss')}
          </button>
        </div>
      )}
    </section>
  );
}

function answerLine({ state, answer, choices }: QuestionItem): string {
  if (state === 'closed') return t('questionClosed');
  if (answer === null || answer === undefined) return t('questionDismissed');
  const chosen = choices.find((choice) => choice.value === answer);
  return chosen?.label ?? oneLine(asJson(answer), 200);
}
