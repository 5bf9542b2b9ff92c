import type { ChangeKind } from '../domain/change.ts';
import type { Allowance } from '../domain/change-kinds.ts';
import type { Problem } from '../api/errors.ts';
import type { Hindrance } from '../state/shapes.ts';

/**
 * Why a request was not sent, or did not come to what was wanted, and what else is true after a change. These are facts:
 * the sentences for people are made in `render/results.ts`, where adding a kind here does not compile until it has its words.
 */
export type Reason = Obstacle | Aftermath;

export type Obstacle =
  /** The service answered, and did not carry it out. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** No answer that proves anything: it may still take effect. */
  | { readonly kind: 'no-answer'; readonly problem: Problem; readonly operation: string }
  /** The network, the limit of the rate or a slow disk kept it here. */
  | { readonly kind: 'not-sent'; readonly problem: Problem }
  /** The state forbids it: a stop by hand, an open start, a lost lease. */
  | { readonly kind: 'hindered'; readonly hindrance: Hindrance }
  /** The state cannot record it, so it was not sent. `wasSent`: an earlier copy was, and its end is not known. */
  | { readonly kind: 'unrecorded'; readonly message: string; readonly wasSent: boolean }
  | { readonly kind: 'interrupted' }
  /** A change before it stopped the whole run. */
  | { readonly kind: 'halted' }
  /** Its hour is less than five minutes away by one of the clocks (seven, before the pause of a replace), or has passed. */
  | { readonly kind: 'too-near'; readonly scheduledAt: string }
  /** The object is not as the plan saw it. */
  | {
      readonly kind: 'differs';
      readonly id: string;
      readonly what: 'status' | 'hour' | 'content';
      readonly was: string | null;
      readonly is: string | null;
    }
  /** A person or the service has stopped it since the plan was made, so its stop was not sent. */
  | { readonly kind: 'stopped-since'; readonly id: string; readonly status: string | null }
  /** A broadcast that was to be stopped has begun to go out. `isPaused`: it was paused all the same. */
  | { readonly kind: 'left'; readonly id: string; readonly isPaused: boolean }
  /** It, or the list of its name, could not be read right before its start, so it was not started. */
  | { readonly kind: 'unread'; readonly message: string; readonly isDenied: boolean }
  /** Objects of the name that the plan did not know, that were started, or that are to be replaced and have another status. */
  | { readonly kind: 'list-changed'; readonly ids: readonly string[] }
  /** Confirmed by an answer, and shown otherwise: the answer was wrong, or it was changed again. */
  | { readonly kind: 'not-shown'; readonly id: string; readonly status: string | null }
  | {
      readonly kind: 'no-media';
      readonly path: string;
      readonly message: string;
      readonly isDenied: boolean;
    }
  /** It got no answer, and the lists do not show it. */
  | { readonly kind: 'lost' }
  /** The run has done it twice without an answer that tells, and the lists do not show it. No other create is sent. */
  | { readonly kind: 'lost-twice' }
  /** Objects that may be what a create without an answer has made: a person decides. */
  | { readonly kind: 'unclear'; readonly ids: readonly string[]; readonly entry: string }
  /** It is not what was agreed to. */
  | { readonly kind: 'not-agreed' }
  /** The plan says so, with the sentences of its reasons. `needs`: what would allow it. */
  | { readonly kind: 'planned'; readonly reasons: readonly string[]; readonly needs?: readonly Allowance[] }
  /** The run ended before it, after stops that had left early. */
  | { readonly kind: 'broke-off'; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string };

export type Aftermath =
  /** The create of a replace was not carried out, and its old version runs again. */
  | { readonly kind: 'old-runs-again'; readonly id: string }
  /** The old version was paused for a replace, and Herald did not start it again. */
  | { readonly kind: 'old-stays-paused'; readonly id: string; readonly because: Obstacle | null }
  /** The new version is live, and not all that should follow has happened. `oldId`: it still runs as well. */
  | { readonly kind: 'new-is-live'; readonly id: string; readonly oldId: string | null }
  /** The service answered the create with other values than were sent. */
  | { readonly kind: 'rewritten'; readonly paths: readonly string[] }
  /** The service confirmed it, and the state does not have that. */
  | { readonly kind: 'not-on-record'; readonly message: string }
  /** A start of the name got no answer and was not waited for, so it may run after this stop. */
  | { readonly kind: 'start-open' }
  /** Another run works on the state, and what it starts is not here. */
  | { readonly kind: 'run-elsewhere'; readonly holder: string }
  /** A look after the last write says that it is not as declared any more. */
  | {
      readonly kind: 'needs-again';
      readonly action: ChangeKind;
      readonly id: string | null;
      readonly status: string | null;
    }
  /** A lost create had made it. */
  | { readonly kind: 'found' }
  /** It had begun to go out when it was stopped, so that some fans have it. */
  | { readonly kind: 'had-begun'; readonly id: string; readonly percent: number | null };

/** Whether a run begins nothing more after this. */
export function haltsRun(reason: Reason): boolean {
  switch (reason.kind) {
    case 'halted':
    case 'bug':
    case 'unrecorded':
    case 'not-on-record':
      return true;
    case 'hindered':
      return reason.hindrance.kind === 'lease-lost';
    case 'refused':
      return isDenied(reason.problem);
    case 'unread':
    case 'no-media':
      return reason.isDenied;
    default:
      return false;
  }
}

/** Whether the service refuses the key. */
export function isDenied({ status }: Problem): boolean {
  return status === 401 || status === 403;
}

/** Whether the service refuses it for what the object is, and not for the key or the rate (ERROR-12). */
export function isAboutState(reason: Reason): boolean {
  return reason.kind === 'refused' && [400, 409].includes(reason.problem.status ?? 0);
}
