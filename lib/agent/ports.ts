import type { Said, Words } from '../said/said';
import type { Catalog, JsonObject, PageTool } from '../tools/tool';
import type { AgentEvent, EventBody } from './events';

/** The tab, as the loop sees it. `lib/page` and the background implement it. */
export interface AgentPage {
  /** Collects the catalog fresh from every frame, after a bounded wait for quiet. */
  collect(signal: AbortSignal): Promise<Catalog>;
  /**
   * Runs the tool once, in the frame that registered it, if its descriptor is still the one given.
   * Never rejects but for the signal's reason; after an abort nothing new starts.
   */
  call(tool: PageTool, args: JsonObject, signal: AbortSignal): Promise<CallOutcome>;
  /** Loads a tab that the browser put to sleep; resolves once its page can be asked for tools. */
  wake?(signal: AbortSignal): Promise<void>;
  /** The page's visible text, or what is selected: for built-in tools, once the user shared it. */
  read?(what: 'text' | 'selection', signal: AbortSignal, origin?: string): Promise<string>;
}

export type CallOutcome =
  | {
      kind: 'result';
      /** As the page gave it: text, JSON text, or `null` where a form navigated away. */
      value: string | null;
      navigatedTo?: string;
      /** For the user, when the value was cut. */
      note?: Words;
    }
  | {
      kind: 'error';
      /** The tool's own words where the platform lets them through, else explained. */
      message: string;
      /** How to say the message, where it is Pagehand's own. */
      said?: Said;
      mayHaveRun: boolean;
      navigatedTo?: string;
    }
  /** The tool under that key is not the one that was approved. Nothing ran. */
  | { kind: 'changed'; tool?: PageTool };

export interface ApprovalRequest {
  callId: string;
  tool: PageTool;
  arguments: JsonObject;
  reason: Extract<AgentEvent, { type: 'approval-asked' }>['reason'];
  canRemember: boolean;
}
export interface ApprovalAnswer {
  decision: 'allow' | 'deny';
  by: 'user' | 'remembered' | 'form' | 'stop' | 'navigation';
  remember: boolean;
  /** Where it is remembered; for this chat where nothing is said. */
  scope?: 'chat' | 'site';
  /** What the user made of the arguments, where they changed them. */
  arguments?: JsonObject;
}

export interface Question {
  questionId: string;
  text: string;
  /** How to say the text, where it is Pagehand's own. */
  said?: Said | undefined;
  choices: { value: string; label: string }[];
  form?: Extract<AgentEvent, { type: 'question-asked' }>['form'];
}

/** The user, as the loop sees them. The host implements it over the views' port. */
export interface AgentUser {
  /** Resolves with the decision; rejects with the signal's reason. Emits nothing itself. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** Resolves with the chosen value or the form's object, `null` when dismissed. */
  ask(question: Question, signal: AbortSignal): Promise<string | JsonObject | null>;
}

/** Where events go. The host stamps and stores them. */
export type Emit = (body: EventBody) => void;
