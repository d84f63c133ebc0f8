import type { TranscriptStep, TranscriptTurn } from '../../lib/agent/transcript';
import { Fold } from '../controls';
import { formatDuration, formatNumber, formatShare, plural, t } from '../text';

/** How long the turn took and what each step cost, in small print. */
export function StepTiming({ turn }: { turn: TranscriptTurn }) {
  const steps = turn.steps.filter((step) => step.reply);
  if (!turn.end || steps.length === 0) return null;
  return (
    <Fold
      class="timing"
      summary={
        <span>{`${formatDuration(turn.end.at - turn.at)} · ${plural('steps', steps.length)}`}</span>
      }
    >
      <ol>
        {steps.map((step) => (
          <li key={step.step}>{timingLine(step)}</li>
        ))}
      </ol>
    </Fold>
  );
}

function timingLine({ reply }: TranscriptStep): string {
  if (!reply) return '';
  const reused = reply.promptTokens > 0 ? reply.reusedTokens / reply.promptTokens : 0;
  const parts = [
    reply.queueMs > 0 ? t('timingQueue', formatDuration(reply.queueMs)) : '',
    t('timingPrompt', formatNumber(reply.promptTokens), formatShare(reused)),
    t('timingFirst', formatDuration(reply.firstTokenMs)),
    t('timingReply', formatNumber(reply.completionTokens)),
    reply.tokensPerSecond > 0
      ? t('timingSpeed', formatNumber(reply.tokensPerSecond, { maximumFractionDigits: 1 }))
      : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
