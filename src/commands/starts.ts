import { chooseName, findAlias } from '../cli/accounts.ts';
import { noMatch, typedTarget, type TypedObject, type TypedTarget } from '../cli/addresses.ts';
import { agreeByHand, byHandAccountFlag, reportByHand } from '../cli/run-apply.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { lockTimeoutFlag, onlyIf, switchFlag, word, yesFlag } from '../cli/flags.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { escapeGlob } from '../domain/glob.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Kind } from '../domain/resource.ts';
import { apply } from '../engine/apply.ts';
import type { Look } from '../engine/look.ts';
import type { Result } from '../engine/run.ts';
import type { Opened } from '../library/connect.ts';
import { withLeasedRun } from '../library/with-run.ts';
import { namedAccounts } from '../live/accounts.ts';
import { decideByHand, type ByHandDecision, type ByHandRequest } from '../plan/decide/by-hand.ts';
import type { PlanFacts } from '../plan/facts.ts';
import { blockChange, starts } from '../plan/decide/decision.ts';
import { buildPlan, summarise } from '../plan/plan.ts';
import { checkLive } from '../policy/check.ts';

const STARTS = {
  'campaigns activate': {
    kind: 'campaign',
    action: 'activate',
    about: 'activate a paused or archived campaign; its trigger works immediately',
    examples: ['alice/campaign/Welcome', '77 --account alice --yes --format json'],
  },
  'broadcasts resume': {
    kind: 'broadcast',
    action: 'resume',
    about: 'resume a paused broadcast; less than 5 minutes before its time, or after it, only with --force',
    examples: ['alice/broadcast/News', '5501 --account alice --yes --format json'],
  },
} as const;

export type StartPath = keyof typeof STARTS;

/** Starts one object by hand. */
export function defineStart(path: StartPath) {
  const { kind, action, about, examples } = STARTS[path];
  return defineCommand({
    path,
    about,
    examples: examples.map((example) => `herald ${path} ${example}`),
    words: { what: word('ID|ADDRESS') },
    flags: {
      account: byHandAccountFlag,
      yes: yesFlag,
      lockTimeout: lockTimeoutFlag,
      again: onlyIf(
        action === 'activate',
        switchFlag('--again', 'send it even if it is active; it completes a change that broke off'),
      ),
      force: onlyIf(
        action === 'resume',
        switchFlag(
          '--force',
          'resume it even if the service paused it for send errors, or its time is near or has passed',
        ),
      ),
    },
    needs: 'workspace',
    run: async (context, { what, account, yes, again = false, force = false }, opened) => {
      const start = { ...typedTarget(kind, what, account, path), kind, action, force, again, yes };
      return reportByHand(context, await startByHand(context, opened, path, start));
    },
  });
}

interface Start extends TypedTarget, Omit<ByHandRequest, 'what'> {
  readonly yes: boolean;
}

/** A start goes the way of an apply: under the lease, after complete lists, with the same rules. */
async function startByHand(
  context: Context,
  opened: Opened,
  command: StartPath,
  { kind, action, force, again, object, yes, account: owner }: Start,
): Promise<readonly Result[]> {
  const typed = chooseName(opened, owner);
  const [named] = namedAccounts(opened.workspace, [findAlias(opened.workspace, { id: typed }) ?? typed]);
  const account = named?.alias ?? '';
  const what = object.by === 'id' ? { account, liveId: object.id } : { account, name: object.name };
  let decision: ByHandDecision | null = null;
  const decide = (facts: PlanFacts) => {
    const found = decideByHand({ kind, action, what, force, again }, facts);
    decision = found === null ? null : obeyPolicy(found, facts);
    const changes = decision === null ? [] : [decision.change];
    return { ...buildPlan(facts), changes, summary: summarise(changes), diagnostics: [] };
  };
  return withLeasedRun(opened, { command }, (run) =>
    apply(run, opened, {
      allow: new Set(),
      targeting: { target: [`${escapeGlob(account)}/${kind}`], exclude: [] },
      alsoRead: (alias, one) => alias === account && one === kind,
      uploads: opened.uploads(run),
      mode: force ? 'forced' : 'by-hand',
      isAgreed: false,
      decide,
      agree: async (seen) => {
        if (decision === null) throw noSuchObject(seen, { kind, account, object });
        await agreeByHand(context, seen.plan, { yes, isHeld: decision.isHeld });
        return yes ? 'at-once' : 'waited';
      },
      refuseChanged: (agreed, now) => {
        if (describeAgreed(agreed) !== describeAgreed(now)) throw changedMeanwhile(now);
      },
    }),
  );
}

/** A policy holds back what it denies, as in an apply. */
function obeyPolicy(decision: ByHandDecision, { observed, policy }: PlanFacts): ByHandDecision {
  const { change } = decision;
  const { account, kind } = change.address;
  const object = observed.find(
    (one) => one.account === account && one.kind === kind && one.live.id === change.live_id,
  );
  if (!starts(change) || object === undefined) return decision;
  const denied = checkLive(object, policy).filter(({ severity }) => severity === 'error');
  if (denied.length === 0) return decision;
  const reasons = denied.map(({ message }) => `The policy denies it: ${message}`);
  return { isHeld: true, change: blockChange(change, ...reasons) };
}

function noSuchObject(
  { facts }: Look,
  { kind, account, object }: { readonly kind: Kind; readonly account: string; readonly object: TypedObject },
): HeraldError {
  const list = facts.observed.filter((one) => one.kind === kind && one.account === account);
  return object.by === 'id'
    ? noMatch(`${kind} ${object.id} on account ${account}`, list, '', kind)
    : noMatch(`${account}/${kind}/${object.name}`, list, object.name, kind);
}

/** The agreed changes: their requests and what they say, for example that a broadcast goes out now. */
function describeAgreed({ plan }: Look): string {
  return canonical(plan.changes.map(({ action, steps, reasons }) => [action, steps, reasons]));
}

function changedMeanwhile({ plan }: Look): HeraldError {
  const reasons = plan.changes.flatMap((change) => change.reasons).join(' ');
  return new HeraldError(
    'stale-plan',
    `It changed while Herald waited for your answer. Nothing was sent. ${reasons}`.trim(),
    `To see what is live: ${formatCommand('plan')}. Then run the command again.`,
  );
}
