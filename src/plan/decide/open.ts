import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import { isSameName } from '../../domain/text.ts';
import {
  type Declared,
  type DeclaredBroadcast,
  type Kind,
  KIND_ROWS,
  type Observed,
} from '../../domain/resource.ts';
import { startsSending, stopsSending } from '../../domain/status.ts';
import type { OpenRequest } from '../../state/shapes.ts';
import { matchCreated, parseAsked, type Asked } from '../compare/asked.ts';
import type { PlanFacts } from '../facts.ts';
import type { Version } from './group.ts';

/** Requests that may still take effect: their kinds, and the words about them. */

export function isOpenCreate({ kind, live_id: id, target }: OpenRequest): boolean {
  return (kind === 'campaign' || kind === 'broadcast') && id === null && target === null;
}

/** A create, an activation or a resume. */
export function isOpenStart(request: OpenRequest): boolean {
  return isOpenCreate(request) || startsSending(request.target);
}

export function isOpenRecall({ kind, live_id: id, target }: OpenRequest): boolean {
  return (kind === 'campaign' || kind === 'broadcast') && id !== null && target === null;
}

/** Ids that open requests start: a stop of them is never held back. */
export function findBeingStarted(open: readonly OpenRequest[]): ReadonlySet<string | null> {
  return new Set(open.filter(isOpenStart).map(({ live_id: id }) => id));
}

/** Ids that open requests stop or recall already. */
export function findBeingStopped(open: readonly OpenRequest[]): ReadonlySet<string | null> {
  const started = findBeingStarted(open);
  const stops = open.filter((request) => isOpenRecall(request) || stopsSending(request.target));
  return new Set(stops.map(({ live_id: id }) => id).filter((id) => !started.has(id)));
}

type Named = Pick<Declared, 'address'> & Partial<Pick<DeclaredBroadcast, 'atOnce'>>;
type OpenTerms = Pick<PlanFacts, 'time'> & Partial<Pick<PlanFacts, 'settleMs'>>;

/** For a command by hand, which does not know the setting. */
const SETTLE_MS = 75_000;

/** Why nothing starts while a request is open, and the next command. */
export function openReason(
  request: OpenRequest,
  { declared, versions }: { readonly declared: Named; readonly versions: readonly Version[] },
  facts: OpenTerms,
): string {
  const { entry, live_id: id, sent_at: sentAt, known_ms: knownMs } = request;
  const close = formatCommand('state', 'close', entry, '--because', '…');
  if (isOpenRecall(request) && request.kind === 'broadcast')
    return `A recall of ${id ?? ''}, sent at ${new Date(sentAt).toISOString()}, got no answer. Check on the service whether it was recalled. If it was not, and should be sent: ${close}`;
  // A broadcast of a draft is in no file (BROADCAST-3): only the command that sends it knows it.
  const again = declared.atOnce === true ? formatCommand('broadcasts', 'send') : formatCommand('apply');
  const asked = isOpenCreate(request) ? parseAsked(request.asked) : null;
  const made = asked === null ? [] : listMaybeMade(asked, versions);
  const [first] = made;
  if (asked !== null && first !== undefined) {
    const what = `An earlier create got no answer and may have created ${made.map((one) => one.id).join(', ')} (${canonical(request.name)})`;
    if (made.some(({ observed }) => matchCreated(asked, observed) === 'equal'))
      return `${what}, which has its content. Run ${again}: it takes it over once nothing else can come of that create.`;
    return `${what}. Check on the service whether it is the same message. If it is not, or if you do not need it: ${commandFor('pause', first.observed)}. Then: ${close}`;
  }
  const leftMs = Math.max(0, (facts.settleMs ?? SETTLE_MS) - knownMs);
  const until = new Date(facts.time.latestMs + leftMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${nameRequest(request, declared)} got no answer and may still succeed until ${until}. Run ${again} after that.`;
}

/** `An earlier activation of 5003 ("Old name")`. The name only if it is not the declared one. */
function nameRequest(request: OpenRequest, { address }: Named): string {
  const { live_id: id, target } = request;
  const name = isSameName(request.name, address.name) ? '' : canonical(request.name);
  if (isOpenCreate(request)) return `An earlier create${name === '' ? '' : ` of ${name}`}`;
  const status = startsSending(target) ? 'activation' : `change to ${target ?? 'another status'}`;
  const what = isOpenRecall(request) ? 'recall' : status;
  return `An earlier ${what} of ${id ?? 'another version'}${name === '' ? '' : ` (${name})`}`;
}

/** New objects of the name that a create without an answer may have made: also after its window, fans could get both. */
function listMaybeMade(asked: Asked, versions: readonly Version[]): readonly Version[] {
  return versions.filter(
    ({ id, known, observed }) =>
      known === null && !asked.baseline.includes(id) && isSameName(observed.live.name, asked.name),
  );
}

/** `herald campaigns pause 5003 --account vip` */
export function formatByHand(verb: string, kind: Kind, id: string, account: string): string {
  return formatCommand(KIND_ROWS[kind].plural, verb, id, '--account', account);
}

/** The command that does it by hand to a live object. */
export function commandFor(verb: string, { kind, account, live }: Observed): string {
  return formatByHand(verb, kind, live.id, account);
}
