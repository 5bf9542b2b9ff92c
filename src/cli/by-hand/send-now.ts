import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Context } from '../context.ts';
import { writes, type Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Question } from '../../domain/ports.ts';
import { formatAddress, type DeclaredBroadcast } from '../../domain/resource.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { shown, visible } from '../../domain/visible.ts';
import { openFiles, type Opened } from '../../library/open.ts';
import { applyFiles } from '../../library/runs.ts';
import { namedAccounts } from '../../live/accounts.ts';
import type { Targeting } from '../../plan/facts.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { describeResults } from '../../render/results.ts';
import { count } from '../../render/wording.ts';
import { workspacePorts } from '../engine-ports.ts';
import { applyExit } from '../exit-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { readAllowances } from '../plan-flags.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { drawPlanText } from '../plan-output.ts';

export interface SendNowFlags {
  readonly account: readonly string[];
  readonly allow: readonly string[];
  readonly yes: boolean;
}

/**
 * `herald broadcasts send FILE#NAME`: sends one broadcast of a file at once, once, with the engine of apply. The file is
 * outside of `files:`, so that no apply sends it.
 */
export async function sendNowCommand(context: Context, what: string, flags: SendNowFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { file, name } = parsed(what);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports, { draft: file });
  const declared = chosen(opened, { file, name }, flags.account);
  const { results } = await context.protect(() =>
    applyFiles(
      ports,
      { ...opened, declared },
      {
        // Allowances of herald.yaml are for applies. This one is given each time.
        allow: readAllowances(flags.allow, []),
        targeting: targetingOf(declared),
        named: { what: 'It changed while Herald waited for your answer', hint: 'Run the command again.' },
        saved: null,
        maxAgeMs: 0,
        remotes: [],
        isAgreed: flags.yes,
        show: ({ plan }) => {
          context.output.say(drawPlanText(context, plan, { declared }));
          if (!sends(plan)) throw refusal(plan, what);
        },
        ask: async ({ plan }) => {
          if (flags.yes) return 'at-once';
          const hint = 'Review the change, then add --yes.';
          await requireYes(context, questionOf(plan), 'Nothing was changed.', hint);
          return 'waited';
        },
      },
    ),
  );
  const report = describeResults(results, () => ({ command: sendCommand(what), mayRepeat: false }));
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return applyExit(results, context.interrupted.aborted);
}

interface Draft {
  readonly file: string;
  readonly name: string;
}

function parsed(what: string): Draft {
  const at = what.indexOf('#');
  const [file, name] = [what.slice(0, at).replace(/^(?:\.\/)+/, ''), what.slice(at + 1)];
  if (at > 0 && name !== '' && file !== '') return { file, name: name.normalize('NFC') };
  throw new HeraldError(
    'bad-flag',
    `"${what}" must name a file and a broadcast in it.`,
    `Write FILE#NAME, as in: ${formatCommand('broadcasts', 'send', 'drafts/today.yaml#Flash sale')}`,
  );
}

/** The broadcast of this name on each account that it declares, or on those of `--account`. */
function chosen(
  { declared, workspace }: Opened,
  { file, name }: Draft,
  given: readonly string[],
): readonly DeclaredBroadcast[] {
  const drafts = declared.filter(
    (resource): resource is DeclaredBroadcast => resource.kind === 'broadcast' && resource.atOnce === true,
  );
  const named = drafts.filter(({ address }) => address.name === name);
  if (named.length === 0) {
    const names = [...new Set(drafts.map(({ address }) => address.name))];
    const hint = names.length === 0 ? `${file} declares no broadcast.` : `It has: ${names.join(', ')}.`;
    throw new HeraldError('no-match', `${file} has no broadcast "${name}".`, hint);
  }
  if (given.length === 0) return named;
  const wanted = new Set(namedAccounts(workspace, given).map(({ alias }) => alias));
  const selected = named.filter(({ address }) => wanted.has(address.account));
  if (selected.length > 0) return selected;
  const accounts = named.map(({ address }) => address.account).join(', ');
  throw new HeraldError('no-match', `"${name}" is not for ${given.join(', ')}.`, `It is for: ${accounts}.`);
}

/** A wildcard in a name is taken literally. */
function targetingOf(declared: readonly DeclaredBroadcast[]): Targeting {
  const target = declared.map(({ address }) => formatAddress(address).replace(/[\\*?]/g, String.raw`\$&`));
  return { target, exclude: [] };
}

function sendCommand(what: string): string {
  return formatCommand('broadcasts', 'send', what, '--allow', 'now');
}

function sends({ changes }: Plan): boolean {
  return changes.some(writes);
}

/** Nothing is sent: the name was used, the allowance is missing, or something else holds it back and says so itself. */
function refusal({ changes }: Plan, what: string): HeraldError {
  const concerned = changes.filter(({ action }) => action === 'done' || action === 'blocked');
  const reasons = concerned.map(({ address, reasons: why }) => `${formatAddress(address)}: ${why.join(' ')}`);
  const details = { changes: concerned };
  if (concerned.some(({ needs }) => needs.includes('now')))
    return new HeraldError(
      'held',
      `Nothing was sent. ${reasons.join(' ')}`,
      `To send it now: ${sendCommand(what)}`,
      { exit: EXIT.blocked, details },
    );
  return new HeraldError(
    'held',
    `Nothing was sent. ${reasons.join(' ')}`,
    concerned.some(({ action }) => action === 'done')
      ? 'To send it again, give it a new name.'
      : 'Do what the message says. Then run the command again.',
    { exit: EXIT.blocked, details },
  );
}

function questionOf({ changes, service }: Plan): Question {
  const accounts = changes.filter(writes).map(({ address }) => address.account);
  const [first] = changes.filter(writes);
  const text = shown`Send ${visible(JSON.stringify(first?.address.name ?? ''))} NOW on ${visible(accounts.join(', '))} at ${visible(servicePlace(service))}? What fans have received can be recalled for 24 hours only.`;
  const number = accounts.length;
  return typedQuestion(text, `send ${count(number, 'broadcast')}`, String(number));
}
