import type { Context } from '../context.ts';
import { Ages } from '../../ledger/ages.ts';
import { isOver, refusalToClose, refusalToCloseElsewhere, type Refusal } from '../../ledger/close.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { worldFileOf } from '../../domain/service-identity.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import type { ConnectedService } from '../../ledger/origins.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { simulatorsOf } from '../../ledger/simulators-of.ts';
import { unfinishedIn, type Unfinished } from '../../ledger/unfinished.ts';
import { ledgerAddress } from '../../library/ledger-address.ts';
import { loadSettings } from '../../workspace/load.ts';
import { keepNoEntry } from '../../ledger/reduction.ts';
import { resolveAccounts } from '../../live/accounts.ts';
import { aliasesByPlatformId } from '../../live/platform-ids.ts';
import { ensureAgesKnown, ensureServiceClockKnown } from '../../live/hear-clock.ts';
import { renderJson } from '../../render/json.ts';
import { untilSurelyOver } from '../../operations/until-surely-over.ts';
import { WAITING } from '../act-ports.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { openService } from '../accounts.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { withLedger } from '../with-ledger.ts';
import { blockedMessage, CHECK_FIRST, closeBlocked } from './close-blocked.ts';

export interface CloseFlags {
  /** The findings of the person, for later readers of the history. */
  readonly because: string;
  readonly yes: boolean;
}

const BECAUSE_MAX = 500;

/**
 * `herald ledger close ENTRY`: stops waiting for an answer that no run can find. Adds a line with who and why.
 * Deletes and sends nothing, and the outcome stays unknown.
 */
export async function ledgerCloseCommand(
  context: Context,
  entry: string,
  flags: CloseFlags,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const because = reasonIn(flags.because);
  const blocked = await blockedMessage(context, entry);
  if (blocked !== null) {
    await closeBlocked(context, blocked, { because, yes: flags.yes });
    const { address: what, at, who } = blocked;
    return tellClosed(context, format, { entry, what, sentAt: at, who, because, after: 'It was blocked.' });
  }
  const look = await closeLook(context, entry);
  const closed = await withLedger(context, look.service, keepNoEntry, async (ledger) => {
    const one = await look.closable();
    await agree(context, one, flags.yes);
    // Check again: a merge may have added its outcome while Herald waited for the answer.
    await look.closable();
    context.onChange?.();
    await ledger.acknowledge(entry, because);
    return one;
  });
  return tellClosed(context, format, { ...closed, because, after: 'Its outcome stays unknown.' });
}

interface ClosedEntry extends Pick<Unfinished, 'entry' | 'what' | 'sentAt'> {
  readonly who: string | null;
  readonly because: string;
  /** What is known of its outcome. */
  readonly after: string;
}

function tellClosed(
  { output, identity }: Context,
  format: 'text' | 'json',
  { entry, what, sentAt, who, because, after }: ClosedEntry,
): number {
  const item = { entry, what, sent_at: sentAt, who, closed_by: identity.who, because };
  output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item })
      : visibleProse(`Closed: ${what}, sent at ${sentAt} by ${who ?? 'an unknown person'}. ${after}`),
  );
  return EXIT.done;
}

function reasonIn(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new CommandError(
    'bad-flag',
    `--because must have 1 to ${BECAUSE_MAX} characters. Write what you found, and where.`,
  );
}

interface CloseLook {
  /** The service that got the request. */
  readonly service: ConnectedService;
  /** Returns the entry if it may be closed. Throws otherwise. */
  closable(): Promise<Unfinished>;
}

async function closeLook(context: Context, entry: string): Promise<CloseLook> {
  const loaded = await loadSettings(context.files, { env: context.env });
  // Throws with the errors of the workspace.
  if (loaded.kind === 'invalid') return lookAtService(context, entry);
  const { service } = loaded.settings;
  const options = { entry, settleMs: service.settleSec * 1000 };
  const address = await ledgerAddress(context.files, service.target);
  if (
    address !== null &&
    (await openIn(context, new LedgerReader(context.state.ledger, address), options)) !== null
  )
    return lookAtService(context, entry);
  for (const simulator of await simulatorsOf(context.state.ledger, entry)) {
    const reader = new LedgerReader(context.state.ledger, simulator);
    if (simulator !== address && (await openIn(context, reader, options)) !== null)
      return lookAtSimulator(context, reader, simulator, options);
  }
  throw unknownEntry(entry);
}

interface CloseOptions {
  readonly entry: string;
  readonly settleMs: number;
}

/** The unconfirmed entry in the reader's view. Null if its outcome is recorded, or if there is none. */
async function openIn(
  { clock }: Context,
  reader: LedgerReader,
  { entry, settleMs }: CloseOptions,
): Promise<Unfinished | null> {
  const unfinished = unfinishedIn(await reader.read(), { nowMs: clock.now(), settleMs });
  return unfinished.find((one) => one.entry === entry) ?? null;
}

/** Reads the service's time, which decides about the age (decision 14), and accounts without an id. */
async function lookAtService(context: Context, entry: string): Promise<CloseLook> {
  const { client, settings } = await openService(context);
  const { accounts, service } = settings;
  await ensureServiceClockKnown(client);
  // No run resolves anything for accounts on the other platform (ACCOUNT-5).
  const resolved = await resolveAccounts(client, accounts, service.platforms.primary, {
    onLeftOut: () => undefined,
  });
  const aliases = new Map(resolved.map(({ accountId, alias }) => [accountId, alias]));
  const aliasOf = async ({ accountId, platformAccountId: id }: Unfinished): Promise<string | null> => {
    const known = aliases.get(accountId) ?? null;
    if (known !== null || id === null) return known;
    // A payout may be recorded with the platform's id alone. It is found by that id.
    return (await aliasesByPlatformId(client, accounts, resolved)).get(id) ?? null;
  };
  const ages = new Ages(context.clock, client);
  const settleMs = service.settleSec * 1000;
  const reader = new LedgerReader(context.state.ledger, client.address);
  const first = await openIn(context, reader, { entry, settleMs });
  if (first !== null && isOver(first, ages, settleMs) === true) {
    await ensureAgesKnown(client);
    const { clock, interrupted: stop, output } = context;
    const onWait = (seconds: number) => output.say(WAITING(seconds));
    if (!(await untilSurelyOver({ clock, stop, settleMs, onWait }, ages, first))) throw interruptedClose();
  }
  const closable = async () => {
    const one = await openIn(context, reader, { entry, settleMs });
    if (one === null) throw unknownEntry(entry);
    return unlessRefused(
      one,
      refusalToClose(one, {
        alias: await aliasOf(one),
        isOver: isOver(one, ages, settleMs),
      }),
    );
  };
  return { service: client, closable };
}

/** Sends nothing to another simulator than the workspace's. It may be gone, and the line counts for it alone. */
function lookAtSimulator(
  context: Context,
  reader: LedgerReader,
  simulator: string,
  options: CloseOptions,
): CloseLook {
  const closable = async () => {
    const one = await openIn(context, reader, options);
    if (one === null) throw unknownEntry(options.entry);
    const worldFile = worldFileOf(simulator);
    const isThere = worldFile !== null && (await mayBeWorld(context, worldFile, simulator));
    return unlessRefused(one, refusalToCloseElsewhere(one, isThere ? worldFile : null));
  };
  return {
    service: {
      address: simulator,
      serverInfo: () => ({ skewMs: null, sureSkewMs: null, isSimulator: true }),
    },
    closable,
  };
}

/** False if the file is missing, or has another world. */
async function mayBeWorld({ files }: Context, worldFile: string, simulator: string): Promise<boolean> {
  const address = await ledgerAddress(files, { kind: 'simulator', worldFile });
  return address === null || address === simulator;
}

function unknownEntry(entry: string): CommandError {
  return new CommandError(
    'unknown-entry',
    `No unconfirmed request has the entry ${visible(entry)}.`,
    `To list unconfirmed requests: ${formatCommand('ledger', 'check')}`,
  );
}

function interruptedClose(): CommandError {
  return new CommandError('interrupted', 'Interrupted; nothing was closed.', null, EXIT.interrupted);
}

function unlessRefused(one: Unfinished, refusal: Refusal | null): Unfinished {
  if (refusal !== null) throw new CommandError(refusal.code, refusal.message, refusal.hint);
  return one;
}

async function agree(context: Context, { what, sentAt, who }: Unfinished, yes: boolean): Promise<void> {
  if (yes) return;
  const text = shown`Close ${visibleProse(what)}, sent at ${sentAt} by ${who}? Herald will not check it again, and its outcome stays unknown.`;
  await requireYes(context, typedQuestion(text, 'close it'), 'Nothing was written.', CHECK_FIRST);
}
