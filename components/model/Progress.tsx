import type { LoadProgress } from '../../lib/agent/engine';
import { formatBytes, formatDuration, formatShare, t } from '../text';

/** A download or preparation with size, speed and time left; a bar without end while it only prepares. */
export function Progress({ progress }: { progress: LoadProgress }) {
  const share = progress.total > 0 ? progress.done / progress.total : 0;
  const label = t(
    progress.phase === 'download'
      ? 'loadDownloading'
      : progress.phase === 'verify'
        ? 'loadVerifying'
        : 'loadPreparing',
  );
  const known = progress.phase === 'download' || share > 0;
  return (
    <div class="progress">
      <progress aria-label={label} max={1} value={known ? share : undefined} />
      <p class="small-print">{progressLine(progress, label, share)}</p>
    </div>
  );
}

function progressLine(progress: LoadProgress, label: string, share: number): string {
  if (progress.phase !== 'download') {
    return [label, share > 0 ? formatShare(share) : ''].filter((part) => part !== '').join(' · ');
  }
  return [
    label,
    t('loadBytes', formatBytes(progress.done), formatBytes(progress.total), formatShare(share)),
    progress.bytesPerSecond ? t('loadSpeed', formatBytes(progress.bytesPerSecond)) : '',
    progress.secondsLeft !== undefined
      ? t('loadLeft', formatDuration(progress.secondsLeft * 1000))
      : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
