import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Context } from '../context.ts';
import type { Annotation } from '../../domain/annotation.ts';
import type { Plan, PrintedPlan } from '../../domain/change.ts';
import { compareDiagnostics, type Diagnostic } from '../../domain/diagnostic.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import { formatAddress, type Declared, type ResolvedAccount } from '../../domain/resource.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { shown, type Visible } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import { renderPlanText } from '../../render/plan-text.ts';
import { allowancesOf } from './allowances.ts';
import { circumstancesOf, circumstancesToSave } from './circumstances.ts';
import { driftExit, planExit } from '../exit-of.ts';
import { annotate } from '../findings.ts';
import { chooseFormat, PLAN_FORMATS, type PlanFormat } from '../formats.ts';
import { selectAddresses } from '../../plan/targets.ts';
import { explainDrift } from '../../engine/drift.ts';
import { look } from '../../engine/look.ts';
import { describeLook, saveLook } from '../../library/describe-look.ts';
import { readHistory } from '../../library/history.ts';
import { openFiles } from '../../library/open.ts';
import { lookAt, whileReading } from '../../library/runs.ts';
import type { State } from '../../state/state.ts';
import { workspacePorts } from '../engine-ports.ts';
import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import { signingKeyOf, type PlanKey } from './plan-key.ts';
import { zonesOf } from './zones.ts';
import { writeSavedPlan } from './saved-plan.ts';
import { narrowed } from './scope.ts';
import { refuseUnmatched, targetingOf, type TargetFlags } from './targets.ts';

interface ViewFlags {
  /** File to draw the plan in as a page. */
  readonly html: string | undefined;
  /** Shows each change on its own. */
  readonly expand: boolean;
}

export interface PlanFlags extends TargetFlags, ViewFlags {
  readonly allow: readonly string[];
  /** File to save the plan in, for `apply`. */
  readonly out: string | undefined;
  /** Signs the saved plan. */
  readonly sign: boolean;
  readonly detailedExitcode: boolean;
  readonly scope: 'all' | 'changed';
  /** Commit or branch that `--scope changed` compares with. */
  readonly base: string | undefined;
}

/** `herald plan`: shows what `apply` would do. Sends only GETs. */
export async function planCommand(context: Context, flags: PlanFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const key = flags.sign ? signingKey(context, flags) : null;
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const allow = allowancesOf(flags.allow, opened.workspace.allow);
  const given = targetingOf(flags, opened.workspace);
  const targeting = await narrowed(context, flags, opened, given);
  const seen = await lookAt(ports, opened, { allow, targeting });
  const circumstances =
    flags.out === undefined
      ? circumstancesOf(context, flags.allow)
      : await circumstancesToSave(context, flags.allow, opened);
  const described = describeLook(opened, seen, circumstances, { contents: showsContents(flags, format) });
  // A branch may remove what is not live any more. That is not an error.
  if (targeting === given) refuseUnmatched(given, described);
  const { plan } = described;
  let printed: PrintedPlan = plan;
  if (flags.out !== undefined) {
    const saved = await saveLook(opened, { allow, targeting }, described);
    const digest = await writeSavedPlan(context, flags.out, saved, key);
    printed = { ...plan, saved: { file: flags.out, digest } };
    context.output.say(shown`Plan written to ${flags.out}, ${digest}.`);
    context.output.say(
      shown`To apply exactly this plan: ${formatCommand('apply', fileArgument(flags.out), '--expect', digest)}`,
    );
  }
  await writePageTo(flags.html, context, plan, 'plan');
  await annotatePlan(context, plan, 'plan', opened.declared);
  context.output.result(
    drawPlan(context, printed, { format, title: 'plan', expand: flags.expand, declared: opened.declared }),
  );
  if (
    format === 'text' &&
    flags.out === undefined &&
    flags.scope === 'all' &&
    planExit(plan, true) === EXIT.differences
  )
    context.output.say(shown`Next: ${applyCommandOf(flags)}`);
  return planExit(plan, flags.detailedExitcode);
}

/** Text and Markdown show what differs. JSON, a page and a saved plan also tell what the files declare. */
function showsContents(
  { html, out }: Pick<ViewFlags, 'html'> & Partial<Pick<PlanFlags, 'out'>>,
  format: PlanFormat,
): boolean {
  return format === 'json' || html !== undefined || out !== undefined;
}

/** Before anything is read, because a plan without its signature would be of no use. */
function signingKey(context: Context, { out }: PlanFlags): PlanKey {
  if (out !== undefined) return signingKeyOf(context);
  throw new HeraldError(
    'bad-flag',
    '--sign signs a saved plan, but --out is missing.',
    'Add --out plan.json.',
  );
}

/** The apply of the same changes, with the same limits. */
function applyCommandOf({ target, exclude, allow }: PlanFlags): string {
  const given = [
    ...target.flatMap((pattern) => ['--target', pattern]),
    ...exclude.flatMap((pattern) => ['--exclude', pattern]),
    ...allow.flatMap((name) => ['--allow', name]),
  ];
  return formatCommand('apply', ...given);
}

/** `herald drift`: shows differences between live and the files. Sends only GETs. */
export async function driftCommand(context: Context, flags: DriftFlags): Promise<number> {
  return driftExit((await driftOf(context, flags)).plan);
}

export type DriftFlags = TargetFlags & ViewFlags;

interface Drift {
  readonly plan: Plan;
  readonly declared: readonly Declared[];
}

/** Looks at what differs between live and the files, and prints it. */
export async function driftOf(context: Context, flags: DriftFlags): Promise<Drift> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const targeting = targetingOf(flags, opened.workspace);
  const allow = new Set(opened.workspace.allow);
  const plan = await whileReading(ports, opened, async (run, state) => {
    const seen = await look(run, opened, { allow, targeting });
    const contents = showsContents(flags, format);
    const described = describeLook(opened, seen, circumstancesOf(context, []), { contents });
    refuseUnmatched(targeting, described);
    const explained = await explainDrift(state, described);
    const accounts = [...listDeclaredIds(opened.workspace), ...described.facts.accounts];
    const found = await findBlockedMessages(context, state, {
      aliases: new Map(accounts.map(({ alias, accountId }) => [accountId, alias])),
      isWanted: selectAddresses(targeting).selects,
      nowMs: described.facts.time.latestMs,
    });
    return { ...explained, diagnostics: [...explained.diagnostics, ...found].toSorted(compareDiagnostics) };
  });
  await writePageTo(flags.html, context, plan, 'drift');
  await annotatePlan(context, plan, 'drift', opened.declared);
  context.output.result(
    drawPlan(context, plan, { format, title: 'drift', expand: flags.expand, declared: opened.declared }),
  );
  return { plan, declared: opened.declared };
}

/** How long a blocked message is named. */
const BLOCKED_SHOWN_MS = 7 * 86_400_000;

/** The messages that the guard blocked after the service had accepted them. */
async function findBlockedMessages(
  { events }: Context,
  state: State,
  {
    aliases,
    isWanted,
    nowMs,
  }: {
    readonly aliases: ReadonlyMap<string, string>;
    readonly isWanted: (item: HistoryItem) => boolean;
    /** By the service's clock. */
    readonly nowMs: number;
  },
): Promise<readonly Diagnostic[]> {
  // Loaded only here, because a plan asks nothing of the events.
  const { CHAT_SEND, explainViolations, readViolations } = await import('../../events/blocked.ts');
  const sinceMs = nowMs - BLOCKED_SHOWN_MS;
  const violations = await readViolations(events, sinceMs);
  const isSend = (item: HistoryItem) => item.action === CHAT_SEND && isWanted(item);
  const sends = violations.events.length === 0 ? [] : await readHistory(state, isSend, { sinceMs });
  const items = sends.map(({ item }) => item);
  const found = explainViolations(violations.events, items, aliases);
  return violations.problem === null ? found : [violations.problem, ...found];
}

/** Accounts of the workspace of which the id is known without the service: events may be about one that the plan does not read. */
function listDeclaredIds({ accounts }: WorkspaceSettings): readonly ResolvedAccount[] {
  return accounts.flatMap(({ alias, selector }) =>
    selector.by === 'id' ? [{ alias, accountId: selector.value }] : [],
  );
}

/** Loaded only for a page, because most runs draw none. */
async function writePageTo(
  file: string | undefined,
  context: Context,
  plan: PrintedPlan,
  title: 'plan' | 'drift',
): Promise<void> {
  if (file !== undefined) await (await import('../page/write-page.ts')).writePage(context, file, plan, title);
}

interface PlanView {
  readonly format?: PlanFormat;
  readonly title?: 'plan' | 'drift';
  /** Shows each change on its own. */
  readonly expand?: boolean;
  /** Resources of the files, for the time zones that they declare. */
  readonly declared?: readonly Declared[];
  /** Set if the result of an apply follows. */
  readonly isBeforeResult?: boolean;
}

/** A plan in a format. A plan as text, unless something else is given. */
export function drawPlan(
  context: Context,
  plan: PrintedPlan,
  { format = 'text', title = 'plan', expand = false, declared = [], isBeforeResult = false }: PlanView = {},
): Visible {
  if (format === 'json') return renderJson(plan);
  const { colour, width } = context.output;
  const zones = zonesOf(declared);
  return format === 'markdown'
    ? renderPlanMarkdown(plan, { expand, zones, title })
    : renderPlanText(plan, { colour, width, title, expand, zones, isBeforeResult });
}

/** Annotates the lines that declare the changes. Does nothing where no CI shows them. */
async function annotatePlan(
  context: Context,
  plan: PrintedPlan,
  title: 'plan' | 'drift',
  declared: readonly Declared[],
): Promise<void> {
  if (context.output.annotate === undefined) return;
  annotate(context, await annotationsOf(plan, title, declared));
}

/** The changes and findings of a plan on the lines that declare them. */
export async function annotationsOf(
  plan: PrintedPlan,
  title: 'plan' | 'drift',
  declared: readonly Declared[],
): Promise<readonly Annotation[]> {
  const { planAnnotations } = await import('../../render/annotations.ts');
  const places = new Map(declared.map(({ address, source }) => [formatAddress(address), source]));
  return planAnnotations(plan, title, { places, zones: zonesOf(declared) });
}
