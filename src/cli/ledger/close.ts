import type { Context } from '../context.ts';
import { Ages } from '../../ledger/ages.ts';
import { isOver, refusalToClose, refusalToCloseElsewhere, type Refusal } from '../../ledger/close.ts';
import { worldFileOf } from '../../domain/service-identity.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import { addressOf, type Counterpart } from '../../ledger/origins.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { simulatorsOf } from '../../ledger/simulators-of.ts';
import { unfinishedIn, type Unfinished } from '../../ledger/unfinished.ts';
import { loadSettings } from '../../workspace/load.ts';
import { keepsNothing } from '../../ledger/reduction.ts';
import { resolveAccounts } from '../../live/accounts.ts';
import { hearClock } from '../../live/hear-clock.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { openService } from '../accounts.ts';
import { withLedger } from '../with-ledger.ts';

export interface CloseFlags {
  /** What the person found, for whoever reads the history later. */
  readonly because: string;
  readonly yes: boolean;
}

const BECAUSE_MAX = 500;

/**
 * `herald ledger close ENTRY`: a person ends the waiting for an answer that no run can find out about any more. It adds
 * a line with who and why; nothing is deleted, nothing is sent, and the outcome stays unknown.
 */
export async function ledgerCloseCommand(
  context: Context,
  entry: string,
  flags: CloseFlags,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const because = reasonIn(flags.because);
  const look = await closeLook(context, entry);
  const closed = await withLedger(context, look.service, keepsNothing, async (ledger) => {
    const one = await look.closable();
    await agree(context, one, flags.yes);
    // Whoever answers may take their time, and a merge may bring its end meanwhile.
    await look.closable();
    context.onChange?.();
    await ledger.acknowledge(entry, because);
    return one;
  });
  const { what, sentAt, who } = closed;
  const item = { entry, what, sent_at: sentAt, who, closed_by: context.identity.who, because };
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item })
      : visibleProse(
          `Closed: ${what}, sent at ${sentAt} by ${who}. Whether it was carried out stays unknown.`,
        ),
  );
  return EXIT.done;
}

function reasonIn(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new CommandError(
    'bad-flag',
    `--because takes 1 to ${BECAUSE_MAX} characters: what you found, and where.`,
  );
}

interface CloseLook {
  /** What the entry was asked of. */
  readonly service: Counterpart;
  /** The entry, once it may be closed. */
  closable(): Promise<Unfinished>;
}

async function closeLook(context: Context, entry: string): Promise<CloseLook> {
  const loaded = await loadSettings(context.files, { env: context.env });
  // It says what is wrong with the workspace.
  if (loaded.kind === 'invalid') return lookAtService(context, entry);
  const { service } = loaded.settings;
  const terms = { entry, settleMs: service.settleSec * 1000 };
  const address = addressOf(service.target);
  if ((await openIn(context, new LedgerReader(context.state.ledger, address), terms)) !== null)
    return lookAtService(context, entry);
  for (const simulator of await simulatorsOf(context.state.ledger, entry)) {
    const reader = new LedgerReader(context.state.ledger, simulator);
    if (simulator !== address && (await openIn(context, reader, terms)) !== null)
      return lookAtSimulator(context, reader, simulator, terms);
  }
  throw unknownEntry(entry);
}

interface Terms {
  readonly entry: string;
  readonly settleMs: number;
}

/** The entry as whoever works with the reader's service knows it; null where its end is on record, or it is not. */
async function openIn(
  { clock }: Context,
  reader: LedgerReader,
  { entry, settleMs }: Terms,
): Promise<Unfinished | null> {
  const unfinished = unfinishedIn(await reader.read(), { nowMs: clock.now(), settleMs });
  return unfinished.find((one) => one.entry === entry) ?? null;
}

/** The service is asked for its time, by which the entry is judged (decision 14), and for accounts without an id. */
async function lookAtService(context: Context, entry: string): Promise<CloseLook> {
  const { client, settings } = await openService(context);
  const { accounts, service } = settings;
  await hearClock(client);
  const resolved = await resolveAccounts(client, accounts, service.platforms.primary);
  const workspaceIds = new Set(resolved.map(({ accountId }) => accountId));
  const ages = new Ages(context.clock, client);
  const settleMs = service.settleSec * 1000;
  const reader = new LedgerReader(context.state.ledger, client.address);
  const closable = async () => {
    const one = await openIn(context, reader, { entry, settleMs });
    if (one === null) throw unknownEntry(entry);
    return unlessRefused(
      one,
      refusalToClose(one, {
        isInWorkspace: workspaceIds.has(one.accountId),
        isOver: isOver(one, ages, settleMs),
      }),
    );
  };
  return { service: client, closable };
}

/** Another simulator than the workspace's is asked nothing: it may be gone, and what is written counts for it alone. */
function lookAtSimulator(context: Context, reader: LedgerReader, simulator: string, terms: Terms): CloseLook {
  const closable = async () => {
    const one = await openIn(context, reader, terms);
    if (one === null) throw unknownEntry(terms.entry);
    const worldFile = worldFileOf(simulator);
    const isThere = worldFile !== null && (await context.files.exists(worldFile));
    return unlessRefused(one, refusalToCloseElsewhere(one, isThere ? worldFile : null));
  };
  return { service: { address: simulator, told: () => ({ skewMs: null, isSimulator: true }) }, closable };
}

function unknownEntry(entry: string): CommandError {
  return new CommandError(
    'unknown-entry',
    `No open entry is called ${visible(entry)}.`,
    'See: herald ledger check. What has an end on record needs none.',
  );
}

function unlessRefused(one: Unfinished, refusal: Refusal | null): Unfinished {
  if (refusal !== null) throw new CommandError(refusal.code, refusal.message, refusal.hint);
  return one;
}

async function agree(context: Context, { what, sentAt, who }: Unfinished, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.interactive)
    throw new CommandError(
      'needs-yes',
      'There is no terminal to ask on, so nothing was written.',
      'Look at it in the service, then use --yes.',
    );
  const question = shown`Close ${visibleProse(what)}, sent at ${sentAt} by ${who}? Herald will not ask about it again, and whether it was carried out stays unknown.`;
  if (!(await context.confirm(question))) throw new CommandError('declined', 'Nothing was written.');
}
