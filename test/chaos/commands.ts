import type { Kind } from '../../src/domain/resource.ts';
import { sealOf, type SavedPlan } from '../../src/plan/saved.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { entriesIn } from './closing.ts';
import { ACCOUNTS, hourOf, isRunning, slotOf } from './declare.ts';
import { callOf, STATUS_OF } from './status-calls.ts';
import { DRAFT, keyOf, liveOf, type Live } from './live.ts';
import { TARGETINGS, type Command, type SlotName } from './shape.ts';
import type { Actor, Chaos } from './state.ts';
import type { ShownPlan, Task, Wish } from './task.ts';

/** One command line and what it may do. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly task: Task;
}

/** The chat, and the fan, that messages go to. */
const CHAT = '101001';

/** What a person writes there by hand. */
export function messageOf(words: number): { readonly chat_id: string; readonly text: string } {
  return { chat_id: CHAT, text: chatWords(words) };
}

function chatWords(words: number): string {
  return `Chat ${words}`;
}

const PLAN_FILE = 'plan.json';
/** Compaction keeps a week. */
const KEEP = '7d';

/** What a command is as things are now; null where there is nothing that it could be about. */
export function commandLine(chaos: Chaos, actor: Actor, command: Command): CommandLine | null {
  switch (command.kind) {
    case 'apply':
      return applyLine(chaos, actor, command);
    case 'by hand':
      return byHandLine(
        chaos,
        command.slot,
        command.verb,
        ({ kind, id }, call) => `${kind}s ${call} ${id} --account alice --yes`,
      );
    case 'send at once':
      return sendAtOnceLine(actor, command.words);
    case 'payout':
      return asked(
        { kind: 'payout', cents: command.cents, sure: command.sure },
        `payouts request --account alice --amount ${usd(command.cents)} --yes`,
        command.sure.map((sure) => `--${sure}`),
      );
    case 'chat': {
      const text = chatWords(command.words);
      return asked({ kind: 'chat', text, sure: command.sure }, `chat send ${CHAT} --account alice --yes`, [
        '--text',
        text,
        ...command.sure.map((sure) => `--${sure}`),
      ]);
    }
    case 'follow': {
      const fan = fanOf(command.fan);
      return asked({ kind: 'follow', fan }, `fans follow ${fan} --account alice --yes`);
    }
    case 'label': {
      const fan = fanOf(command.fan);
      const name = `Fan ${command.words}`;
      return asked({ kind: 'label', fan }, `fans label ${fan} --account alice --yes`, ['--name', name]);
    }
    case 'upload': {
      const path = uploadPath(command.bytes);
      actor.scene.bytes.blobs[path] = mediaOf(JPEG, UPLOAD_BYTES, 100 + command.bytes);
      const again = command.again ? ['--again'] : [];
      return asked({ kind: 'upload' }, `vault upload ${path} --account alice`, again);
    }
    case 'api create':
      return command.nameless === true
        ? namelessCreateLine(chaos, actor, command.slot)
        : apiCreateLine(actor, command.slot);
    case 'api change':
      return byHandLine(chaos, command.slot, command.verb, ({ kind, id }, call) => {
        const params = `--param account_id=101 --param campaign_id=${id} --yes`;
        if (call === 'unsend') return `api ${kind}s.unsend ${params}`;
        const body = bodyFile(actor, `${call}-${id}`, { status: STATUS_OF[call] });
        return `api ${kind}s.set-status ${params} --body ${body}`;
      });
    case 'api payout':
      return asked(
        { kind: 'payout', cents: command.cents, sure: [] },
        `api payouts.request --param platform=platform_a --param platform_account_id=9101 --body ${bodyFile(actor, `payout-${command.cents}`, { withdrawal_amount: command.cents / 100 })} --yes`,
      );
    case 'api chat': {
      const text = chatWords(command.words);
      const body = bodyFile(actor, `chat-${command.words}`, { text });
      return asked(
        { kind: 'chat', text, sure: [] },
        `api chat.send --param account_id=101 --param chat_id=${CHAT} --body ${body} --yes`,
      );
    }
    case 'import':
      return asked({ kind: 'nothing' }, 'import --update');
    case 'look':
      return asked({ kind: 'nothing' }, command.at);
    case 'compact':
      return asked({ kind: 'nothing' }, `ledger compact --keep ${KEEP}`);
    case 'close':
      return closeLine(actor, command);
  }
}

/** The name of a draft: each has its own. */
export function draftName(words: number): string {
  return `${DRAFT} ${words}`;
}

const DRAFT_FILE = 'drafts/today.yaml';

function sendAtOnceLine({ scene }: Actor, words: number): CommandLine {
  const drafts = DRAFTS.map((one) => ({
    name: draftName(one),
    audience: 'everyone',
    messages: [{ text: `Now ${one}` }],
  }));
  scene.files.tree[DRAFT_FILE] = JSON.stringify({ accounts: ['alice'], broadcasts: drafts });
  const name = draftName(words);
  return asked({ kind: 'create', accountId: '101', of: 'broadcast', name }, 'broadcasts send', [
    `${DRAFT_FILE}#${name}`,
    '--allow',
    'now',
    '--yes',
  ]);
}

const DRAFTS = [1, 2];

/** What a person says is on record, and decides nothing: right or not, the outcome stays unknown. */
function closeLine(
  { scene }: Actor,
  { nth, says }: Extract<Command, { readonly kind: 'close' }>,
): CommandLine | null {
  const entries = entriesIn(scene.files.tree);
  const open = entries.filter(({ isOpen }) => isOpen);
  const chosen = open.at(-nth) ?? open.at(-1) ?? entries.at(-nth);
  if (chosen === undefined) return null;
  const wish: Wish = { kind: 'close', entry: chosen.name, because: says, wasOpen: chosen.isOpen };
  return asked(wish, `ledger close ${chosen.name} --yes`, ['--because', says]);
}

const UPLOAD_BYTES = 4000;

export function uploadPath(bytes: number): string {
  return `up-${bytes}.jpg`;
}

/** A command line in words, and what else stands in it. */
function asked(wish: Wish, line: string, more: readonly string[] = []): CommandLine {
  return {
    args: [...line.split(' '), ...more],
    task: { declared: [], covers: () => true, allow: [], wish },
  };
}

function applyLine(
  { scenario }: Chaos,
  actor: Actor,
  {
    targeting,
    prune,
    small = false,
    saved,
    reviewed = false,
    recalls,
    allow: asks,
  }: Extract<Command, { readonly kind: 'apply' }>,
): CommandLine {
  const chosen = TARGETINGS[targeting];
  const allow = [
    ...(recalls && actor.declared.some(({ target }) => target === 'recalled') ? ['recall'] : []),
    ...(prune ? ['prune'] : []),
    ...(prune && !small ? ['large'] : []),
    // No ledger says any more who made what, so a person says it. Nor does one know what the others made.
    ...(actor.ledgerLostMs === null ? [] : ['adopt', 'resume']),
    ...(scenario.operators.length > 1 ? ['adopt'] : []),
    ...asks,
  ];
  const task = {
    declared: actor.declared,
    covers: (account: string, kind: string, name: string) =>
      (chosen?.covers(account, kind, name) ?? true) && !(reviewed && !REVIEWED.test(name)),
    allow: [...new Set(allow)],
    ...(reviewed ? { finishes: true } : {}),
    ...(saved ? { shown: () => shownTo(actor) } : {}),
    wish: null,
  };
  const flags = [...allowing(task), ...(chosen?.flags ?? [])];
  if (!saved) return { args: ['apply', '--yes', ...flags], task };
  // A review has its own targets, and no allowances.
  if (reviewed) return { args: ['apply', '--reviewed', PLAN_FILE, '--yes', ...allowing(task)], task };
  return { args: ['apply', PLAN_FILE, '--yes'], task };
}

/** Names that the reviewer of a saved plan agrees to change: one of each kind. */
const REVIEWED = /^(?:We|Te)/;

/** Takes everything that the reviewer does not agree to out of the saved plan. */
export function reviewSavedPlan({ scene }: Actor): void {
  const { tree } = scene.files;
  const document = JSON.parse(tree[PLAN_FILE] ?? '{}') as SavedPlan;
  const changes = document.plan.changes.filter(({ address }) => REVIEWED.test(address.name));
  const reviewed = { ...document, plan: { ...document.plan, changes } };
  tree[PLAN_FILE] = JSON.stringify({ ...reviewed, digest: sealOf(reviewed) });
}

/** The saved plan, as it is now. */
function shownTo({ scene }: Actor): ShownPlan {
  const { created_at, plan } = JSON.parse(scene.files.tree[PLAN_FILE] ?? '') as SavedPlan;
  return { created_at, changes: plan.changes };
}

/** The flags of a plan that is to be saved, for the apply that follows. */
export function savingArgs({ task }: CommandLine, targeting: number): readonly string[] {
  return ['plan', '--out', PLAN_FILE, ...allowing(task), ...(TARGETINGS[targeting]?.flags ?? [])];
}

export function forgetSavedPlan({ scene }: Actor): void {
  delete scene.files.tree[PLAN_FILE];
}

export function hasSavedPlan({ scene }: Actor): boolean {
  return scene.files.tree[PLAN_FILE] !== undefined;
}

export function allowing({ allow }: Pick<Task, 'allow'>): readonly string[] {
  return allow.flatMap((name) => ['--allow', name]);
}

function byHandLine(
  chaos: Chaos,
  slot: SlotName,
  verb: Parameters<typeof callOf>[1],
  line: (live: Live, call: keyof typeof STATUS_OF) => string,
): CommandLine | null {
  const object = newestOf(chaos, slot);
  const call = object === undefined ? null : callOf(object, verb);
  if (object === undefined || call === null) return null;
  return asked({ kind: 'status', key: keyOf(object), status: STATUS_OF[call] }, line(object, call));
}

/** The newest object of a slot on the first account. */
export function newestOf({ simulator }: Chaos, slot: SlotName): Live | undefined {
  const { kind } = slotOf(slot);
  return liveOf(simulator).findLast(
    (live) => live.accountId === ACCOUNTS[0]?.accountId && live.kind === kind && isOfSlot(live, slot),
  );
}

export function isOfSlot({ name }: Pick<Live, 'name'>, slot: SlotName): boolean {
  return name === slot || name.startsWith(`${slot} `);
}

/** The body of a raw call in a file of its own: two calls of one moment have two. */
function bodyFile({ scene }: Actor, name: string, body: object): string {
  const path = `body-${name}.json`;
  scene.files.tree[path] = JSON.stringify(body);
  return path;
}

/** What the files declare for the first account, made by one raw call. */
function apiCreateLine(actor: Actor, slot: SlotName): CommandLine | null {
  const wanted = actor.declared.find((one) => one.accountId === '101' && one.slot.slot === slot);
  if (wanted === undefined || !isRunning(wanted.target) || wanted.content.sha256 !== null) return null;
  const { kind, name, content, hourMs } = wanted;
  const body = bodyFile(actor, `create-${slot}`, { name, ...bodyOf(kind, content.text, hourMs) });
  return rawCreate(kind, name, body);
}

/** Only its words tell what it has made: no run can find that by a name. */
function namelessCreateLine({ scenario }: Chaos, actor: Actor, slot: SlotName): CommandLine {
  const { kind } = slotOf(slot);
  const hourMs = hourOf(slot, scenario.startMin);
  const body = bodyFile(actor, `nameless-${kind}`, bodyOf(kind, `A nameless ${kind}`, hourMs));
  return rawCreate(kind, '', body);
}

function bodyOf(kind: Kind, text: string, hourMs: number | null): object {
  return {
    messages: [{ text }],
    audience_filters: [],
    ...(kind === 'campaign'
      ? { trigger: 'welcome_message', action: 'send_message' }
      : { scheduled_at: new Date(hourMs ?? 0).toISOString(), scheduled_at_timezone_mode: 'utc' }),
  };
}

function rawCreate(of: Kind, name: string, body: string): CommandLine {
  return asked(
    { kind: 'create', accountId: '101', of, name },
    `api ${of}s.create --param account_id=101 --body ${body} --yes`,
  );
}

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}

function fanOf(place: number): string {
  return `10100${place}`;
}
