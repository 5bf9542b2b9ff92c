import type { LiveId } from '../../domain/ids.ts';
import type { KnownObject } from '../../domain/knowledge.ts';
import type { Observed } from '../../domain/resource.ts';

interface Asked {
  readonly liveId: LiveId;
  /** Proceed even if a person should check first. */
  readonly force: boolean;
  /** Ask for the status even if the object has it already. */
  readonly again: boolean;
}

/** One change that a person asks for. The service calls a recall `unsend`. */
export type Wish =
  | (Asked & { readonly kind: 'campaign'; readonly action: 'activate' | 'pause' | 'archive' | 'recall' })
  | (Asked & { readonly kind: 'broadcast'; readonly action: 'pause' | 'resume' | 'recall' });

export interface GoAhead {
  readonly kind: 'go';
  /** The effects, one sentence each. */
  readonly reasons: readonly string[];
  readonly reversible: boolean;
  /** How and until when it can be undone, or what is lost. */
  readonly undo: string;
  /** A further thing to agree to. It is part of the question. */
  readonly mind: string;
  /** A broadcast that leaves the moment it is resumed. */
  readonly atOnce: boolean;
  /** For a stop of what an apply has stopped: the words of its result. Null if it changes the status. */
  readonly recorded: string | null;
}

/** The decision about a wish. */
export type Answer =
  | GoAhead
  /** No change needed: nothing to send. */
  | { readonly kind: 'so'; readonly reason: string }
  /** Its present state does not allow the change. */
  | Refusal<'cannot'>
  /** Possible, but a person must do or decide something else first. */
  | Refusal<'held'>;

interface Refusal<Kind> {
  readonly kind: Kind;
  readonly reason: string;
  readonly hint: string;
}

/** The input of a cell of a table. */
export interface ByHandCase<Live extends Observed> {
  readonly target: Live;
  readonly known: KnownObject | null;
  /** Everything else of the same name, archived ones included; lowest id first. */
  readonly others: readonly Live[];
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
  readonly clocksApartMs: number;
  readonly force: boolean;
  readonly again: boolean;
  /** An apply stopped it, and would start it again by itself. */
  readonly isStoppedByApply: boolean;
  /** The command line of another verb for this object, or for another one of its account. */
  readonly command: (verb: string, id?: string) => string;
}

export function go(parts: Pick<GoAhead, 'reasons' | 'undo'> & Partial<GoAhead>): GoAhead {
  return { kind: 'go', reversible: true, mind: '', atOnce: false, recorded: null, ...parts };
}

/**
 * A stop of what an apply has stopped already. The same request does nothing more, and is on record as the person's: an
 * apply undoes its own stops by itself.
 */
export function recordStop({ target: { live } }: ByHandCase<Observed>, undo: string): GoAhead {
  const status = live.status ?? 'stopped';
  return go({
    reasons: [
      `It is ${status} already: an apply stopped it. The same request is sent once more, so that the ledger has it as stopped by you.`,
    ],
    undo,
    recorded: `It was ${status} already. Herald recorded that you stopped it: an apply starts it again only with --allow resume.`,
  });
}

/** `77`, `77 and 78`: the ids of some objects. */
export function idsOf(objects: readonly Observed[]): string {
  return objects.map(({ live }) => live.id).join(' and ');
}
