import type { Ledger } from '../ledger/ledger.ts';
import { rememberRewrites } from '../apply/remember.ts';
import type { Context } from '../context.ts';
import { writes, type ApplyReport, type OutcomeKind } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { failureOf } from './failure-of.ts';
import type { Inspection, Source } from './inspect.ts';

/**
 * The final scans: what was reported must be what is live, and a created object must not differ at once.
 * They cannot take back what is done, so a scan that fails is said and changes nothing about the report.
 * Returns what was read; null when it could not be.
 */
export async function lookAgain(
  context: Context,
  source: Source,
  report: ApplyReport,
  ledger: Ledger,
): Promise<Inspection | null> {
  const after = await inspectOrSay(context, source);
  if (after === null) return null;
  const applied = report.outcomes.filter((outcome) => outcome.outcome === 'applied');
  const created = new Set(applied.map((outcome) => outcome.live_id ?? ''));
  const rewritten = await rememberRewrites(ledger, created, after.plan, after.observed);
  for (const { address, liveId, paths } of rewritten) {
    context.output.say(
      `warning: ${address}: the service changed ${paths.join(', ')} of ${liveId} while creating it. Herald accepts that from now on.`,
    );
  }
  const accepted = new Set(rewritten.map(({ address }) => address));
  const touched = new Set(applied.map((outcome) => formatAddress(outcome.address)));
  for (const change of after.plan.changes.filter(writes)) {
    const address = formatAddress(change.address);
    if (touched.has(address) && !accepted.has(address) && change.action !== 'retire')
      context.output.say(`warning: ${address} already needs "${change.action}" again. Run herald plan.`);
  }
  return after;
}

/** The addresses with one of these outcomes. */
export function addressesOf(report: ApplyReport, outcomes: readonly OutcomeKind[]): ReadonlySet<string> {
  return new Set(
    report.outcomes
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ address }) => formatAddress(address)),
  );
}

async function inspectOrSay(context: Context, source: Source): Promise<Inspection | null> {
  try {
    return await source.inspect();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    context.output.say(
      `warning: what was done could not be looked at once more: ${failure.message}. Run herald plan later.`,
    );
    return null;
  }
}
