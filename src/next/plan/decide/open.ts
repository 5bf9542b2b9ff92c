import { formatCommand } from '../../../domain/command-line.ts';
import { creatingCommand } from '../../../domain/creating-command.ts';
import { canonical } from '../../../domain/digest.ts';
import { KIND_ROWS } from '../../../domain/kind.ts';
import { isSameName } from '../../../domain/name-form.ts';
import type { Declared, Kind } from '../../../domain/resource.ts';
import { startsSending, stopsSending } from '../../../domain/status.ts';
import type { OpenRequest } from '../../../state/shapes.ts';
import { parseAsked } from '../compare/asked.ts';
import type { PlanFacts } from '../facts.ts';
import type { Group, Version } from './group.ts';

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

/** Versions that an open request starts: a stop of them is never held back. */
export function beingStarted<Live extends Version>({
  versions,
  open,
}: {
  readonly versions: readonly Live[];
  readonly open: readonly OpenRequest[];
}): readonly Live[] {
  const ids = new Set(open.filter(isOpenStart).map(({ live_id: id }) => id));
  return versions.filter(({ id }) => ids.has(id));
}

/** Versions that an open request stops or recalls already. */
export function beingStopped<Live extends Version>({
  versions,
  open,
}: {
  readonly versions: readonly Live[];
  readonly open: readonly OpenRequest[];
}): readonly Live[] {
  const stops = open.filter((request) => isOpenRecall(request) || stopsSending(request.target));
  const ids = new Set(stops.map(({ live_id: id }) => id));
  const started = beingStarted({ versions, open });
  return versions.filter((version) => ids.has(version.id) && !started.includes(version));
}

type OpenTerms = Pick<PlanFacts, 'time'> & Partial<Pick<PlanFacts, 'settleMs'>>;

/** For a command by hand, which does not know the setting. */
const SETTLE_MS = 75_000;

/** Why nothing starts while a request is open, and the next command. */
export function openReason(request: OpenRequest, { declared, versions }: Group, facts: OpenTerms): string {
  if (isOpenRecall(request) && request.kind === 'broadcast') return recallReason(request);
  const made = isOpenCreate(request) ? maybeMade(request, versions) : [];
  if (made.length > 0) return maybeMadeReason(request, made);
  const leftMs = Math.max(0, (facts.settleMs ?? SETTLE_MS) - request.known_ms);
  const until = new Date(facts.time.latestMs + leftMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${openWords(request, declared)} got no answer and may still succeed until ${until}. Run ${creatingCommand(declared)} after that.`;
}

/** `An earlier activation of 5003 ("Old name")`. The name only if it is not the declared one. */
function openWords(request: OpenRequest, { address }: Declared): string {
  const name = isSameName(request.name, address.name) ? '' : canonical(request.name);
  if (isOpenCreate(request)) return `An earlier create${name === '' ? '' : ` of ${name}`}`;
  const what = isOpenRecall(request)
    ? 'recall'
    : startsSending(request.target)
      ? 'activation'
      : `change to ${request.target ?? 'another status'}`;
  return `An earlier ${what} of ${request.live_id ?? 'another version'}${name === '' ? '' : ` (${name})`}`;
}

/** New objects of the name that a create without an answer may have made. */
function maybeMade(request: OpenRequest, versions: readonly Version[]): readonly Version[] {
  const asked = parseAsked(request.asked);
  if (asked === null) return [];
  return versions.filter(
    ({ id, known, observed }) =>
      known === null && !asked.baseline.includes(id) && isSameName(observed.live.name, asked.name),
  );
}

/** Also after its window: the object exists, and fans could get both. */
function maybeMadeReason(request: OpenRequest, made: readonly Version[]): string {
  const ids = made.map(({ id }) => id).join(', ');
  const [first] = made;
  const { account, name, entry } = request;
  const kind = first?.observed.kind ?? 'campaign';
  const close = formatCommand('state', 'close', entry, '--because', '…');
  return `An earlier create got no answer and may have created ${ids} (${canonical(name)}). Check on the service whether it is the same message. If it is not, or if you do not need it: ${pauseCommand(kind, first?.id ?? 'ID', account)}. Then: ${close}`;
}

function recallReason({ entry, live_id: id, sent_at: sentAt }: OpenRequest): string {
  return `A recall of ${id ?? ''}, sent at ${new Date(sentAt).toISOString()}, got no answer. Check on the service whether it was recalled. If it was not, and should be sent: ${formatCommand('state', 'close', entry, '--because', '…')}`;
}

export function pauseCommand(kind: Kind, id: string, account: string): string {
  return formatCommand(KIND_ROWS[kind].plural, 'pause', id, '--account', account);
}
