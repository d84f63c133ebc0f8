import type { CheckedList } from './check';

/** A frame of a tab with what it reported. */
export interface ReportedFrame {
  frameId: number;
  parentFrameId: number;
  documentId: string;
  url: string;
  report: CheckedList;
}

/**
 * The frames that may offer tools. A frame of another origin than its embedder's may only where
 * every such embedder delegated it (`allow="tools"`), as the browser's own WebMCP has it. The
 * parents tell which of their iframes that are, by place: a frame cannot vouch for itself.
 */
export function delegatedFrames(frames: ReportedFrame[]): Set<ReportedFrame> {
  const byId = new Map(frames.map((frame) => [frame.frameId, frame]));
  const known = new Map<ReportedFrame, boolean>();
  const allowed = (frame: ReportedFrame, depth: number): boolean => {
    const before = known.get(frame);
    if (before !== undefined) return before;
    let answer = frame.parentFrameId < 0;
    const parent = byId.get(frame.parentFrameId);
    if (!answer && parent && parent !== frame && depth < 50) {
      const origin = frame.report.origin;
      const same = origin === parent.report.origin && origin !== 'null';
      answer = (same || delegates(parent, frame)) && allowed(parent, depth + 1);
    }
    known.set(frame, answer);
    return answer;
  };
  return new Set(frames.filter((frame) => allowed(frame, 0)));
}

function delegates(parent: ReportedFrame, child: ReportedFrame): boolean {
  const { index, origin } = child.report;
  const found = parent.report.delegations.find((delegation) => delegation.index === index);
  if (!found) return false;
  for (const directive of found.allow.split(';')) {
    const [feature, ...to] = directive.trim().split(/\s+/);
    if (feature !== 'tools') continue;
    const list = to.length ? to : ["'src'"];
    return list.some((entry) => {
      if (entry === '*') return true;
      if (entry === "'self'") return origin === parent.report.origin && origin !== 'null';
      if (entry === "'src'") return origin === 'null' || originOf(found.src) === origin;
      return originOf(entry) === origin;
    });
  }
  return false;
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}
