import type { FanPlace } from '../../acts/labels.ts';
import type { Question } from '../../domain/ports.ts';
import type { Run } from '../../engine/run.ts';
import { chooseAccount, openService, sayService } from '../accounts.ts';
import { withActRun } from '../act-run.ts';
import { typedOwned } from '../addresses.ts';
import type { Context } from '../context.ts';
import { requireAnswer } from '../question.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes } from '../question.ts';

/** The state of one command about a fan. */
export interface FanRun {
  readonly context: Context;
  readonly run: Run;
  readonly place: FanPlace;
  /** Name of the service, for the question. */
  readonly at: string;
  readonly format: 'text' | 'json';
}

export interface FanFlags {
  readonly account: string | undefined;
  readonly yes: boolean;
}

/** Opens service and state for one fan. `reason` explains why `--yes` is needed without a terminal. */
export async function withFan(
  context: Context,
  { typed, flags, reason, command }: FanCommand,
  work: (run: FanRun) => Promise<number>,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  requireAnswer(context, flags.yes, reason);
  const service = await openService(context);
  const { id: fanId, account: given } = typedOwned(typed, 'fan', flags.account);
  const account = await chooseAccount(service, given);
  const at = sayService(context, service);
  return withActRun(context, service, { account, command }, (run) =>
    work({ context, run, place: { account, fanId }, at, format }),
  );
}

interface FanCommand {
  readonly typed: string;
  readonly flags: FanFlags;
  readonly reason: string;
  /** Its name, for the record. */
  readonly command: string;
}

/** Asks; null with `--yes`. */
export function asking(
  { context }: FanRun,
  { yes }: FanFlags,
  question: Question,
): (() => Promise<void>) | null {
  return yes ? null : () => requireYes(context, question, 'Nothing was sent.');
}
