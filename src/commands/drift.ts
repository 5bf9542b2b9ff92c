import { readCircumstances } from '../cli/circumstances.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { driftExit } from '../cli/exit-of.ts';
import { PLAN_FORMATS } from '../cli/formats.ts';
import { expandFlag, pageFlag, readTargets, refuseUnmatched, targetFlags } from '../cli/plan-flags.ts';
import { drawPlan, publishPlan } from '../cli/plan-output.ts';
import { runPorts } from '../cli/engine-ports.ts';
import type { Plan } from '../domain/change.ts';
import { type Diagnostic, compareDiagnostics } from '../domain/diagnostic.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { explainDrift } from '../engine/drift.ts';
import { look } from '../engine/look.ts';
import { CHAT_SEND, explainViolations, readViolations } from '../events/blocked.ts';
import { describeLook } from '../library/describe-look.ts';
import { readHistory } from '../library/history.ts';
import type { Opened } from '../library/open.ts';
import { whileReading } from '../library/runs.ts';
import type { Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import type { State } from '../state/state.ts';

/** Shows differences between live and the files. Sends only reads. */
export const drift = defineCommand({
  path: 'drift',
  about: 'show differences between live and the files; exit 2 if there are any',
  examples: ['herald drift', 'herald drift --format json', "herald drift --target 'alice/campaign/Welcome*'"],
  formats: PLAN_FORMATS,
  flags: { ...targetFlags, expand: expandFlag, html: pageFlag },
  needs: 'workspace',
  run: async (context, { format, html, expand, ...given }, opened) => {
    const { declared, workspace } = opened;
    const targeting = readTargets(given, workspace);
    const contents = format === 'json' || html !== undefined;
    const plan = await lookForDrift(context, opened, { targeting, contents });
    await publishPlan(context, plan, { title: 'drift', declared, html });
    return { ...drawPlan(context, plan, { title: 'drift', expand, declared }), exit: driftExit(plan) };
  },
});

/** Looks at what differs between live and the files, and at messages that were blocked. Sends only reads. */
export function lookForDrift(
  context: Context,
  opened: Opened,
  { targeting, contents }: { readonly targeting: Targeting; readonly contents: boolean },
): Promise<Plan> {
  const { workspace } = opened;
  return whileReading(runPorts(context), opened, async (run, state) => {
    const seen = await look(run, opened, { allow: new Set(workspace.allow), targeting });
    const described = describeLook(opened, seen, readCircumstances(context, []), { contents });
    refuseUnmatched(targeting, described);
    const explained = await explainDrift(state, described);
    const { accounts, time } = described.facts;
    // Events may be about an account that the plan does not read.
    const declared = workspace.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    );
    const found = await findBlockedMessages(context, state, {
      aliases: new Map([...declared, ...accounts.map(({ alias, accountId }) => [accountId, alias] as const)]),
      isWanted: selectAddresses(targeting).selects,
      nowMs: time.latestMs,
    });
    return { ...explained, diagnostics: [...explained.diagnostics, ...found].toSorted(compareDiagnostics) };
  });
}

/** How long a blocked message is named. */
const BLOCKED_SHOWN_MS = 7 * 86_400_000;

interface Wanted {
  readonly aliases: ReadonlyMap<string, string>;
  readonly isWanted: (item: HistoryItem) => boolean;
  /** By the service's clock. */
  readonly nowMs: number;
}

/** The messages that the guard blocked after the service had accepted them. */
async function findBlockedMessages(
  { events }: Context,
  state: State,
  { aliases, isWanted, nowMs }: Wanted,
): Promise<readonly Diagnostic[]> {
  const sinceMs = nowMs - BLOCKED_SHOWN_MS;
  const violations = await readViolations(events, sinceMs);
  const isSend = (item: HistoryItem) => item.action === CHAT_SEND && isWanted(item);
  const sends = violations.events.length === 0 ? [] : await readHistory(state, isSend, { sinceMs });
  const items = sends.map(({ item }) => item);
  const found = explainViolations(violations.events, items, aliases);
  return violations.problem === null ? found : [violations.problem, ...found];
}
