import { defineCommand } from '../../cli/define-command.ts';
import { lockTimeoutFlag, textsFlag, word, yesFlag } from '../../cli/flags.ts';
import { readAllowances, repeatFlags } from '../../cli/make-plan.ts';
import { agreeToPlan, reportByHand } from '../../cli/run-apply.ts';
import { writes, type Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { escapeGlob } from '../../domain/glob.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { formatAddress, type DeclaredBroadcast } from '../../domain/resource.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { shown, visible } from '../../domain/visible.ts';
import { openFiles, type Opened } from '../../library/connect.ts';
import { applyFiles } from '../../library/runs.ts';
import { namedAccounts } from '../../live/accounts.ts';
import { readDeclared } from '../../render/entries.ts';
import { count } from '../../render/wording.ts';

/** With the engine of apply. The file is outside of `files:`, so that no apply sends it. */
export const send = defineCommand({
  path: 'broadcasts send',
  about: 'send one broadcast of a file at once, never twice',
  examples: [
    "herald broadcasts send 'drafts/today.yaml#Flash sale' --allow now",
    "herald broadcasts send 'drafts/today.yaml#Flash sale' --account alice --allow now --yes",
  ],
  words: { what: word('FILE#NAME') },
  flags: {
    account: textsFlag('--account <name>', 'only this account, by alias or group (repeatable)'),
    allow: textsFlag('--allow <name>', 'now: it cannot be stopped before it goes out (repeatable)'),
    yes: yesFlag,
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'nothing',
  run: async (context, { what, account, allow, yes }) => {
    const draft = parseDraft(what);
    let hasAdopted = false;
    const report: typeof context.report = (event) => {
      hasAdopted ||= event.kind === 'settled' && event.tookEffect;
      context.report(event);
    };
    const opened = await openFiles({ ...context, report }, draft.file);
    const declared = chooseDrafts(opened, draft, account);
    const limits = repeatFlags({ account });
    const same = formatCommand('broadcasts', 'send', what, ...limits, '--allow', 'now');
    // A wildcard in a name is taken literally.
    const target = declared.map(({ address }) => escapeGlob(formatAddress(address)));
    const results = await applyFiles(
      { ...opened, declared },
      {
        // Allowances of herald.yaml are for applies. This one is given each time.
        allow: readAllowances(allow, []),
        targeting: { target, exclude: [] },
        again: 'Run the command again.',
        isAgreed: yes,
        agree: async ({ plan }) => {
          const view = { ...readDeclared(declared), isBeforeResult: true };
          const agreed = await agreeToPlan(context, plan, { view, yes, ask: askToSend });
          // What an earlier run has sent without an answer is what this one was asked for.
          if (!plan.changes.some(writes) && !hasAdopted) throw refuseSend(plan, same);
          return agreed;
        },
      },
    );
    return reportByHand(context, results, { command: same });
  },
});

function parseDraft(what: string) {
  const [, file, name] = /^(?:\.\/)*(?!\.\/)([^#]+)#(.+)$/s.exec(what) ?? [];
  if (file !== undefined && name !== undefined) return { file, name: name.normalize('NFC') };
  throw new HeraldError(
    'bad-flag',
    `"${what}" must name a file and a broadcast in it.`,
    `Write FILE#NAME, as in: ${formatCommand('broadcasts', 'send', 'drafts/today.yaml#Flash sale')}`,
  );
}

/** The broadcast of this name on each account that it declares, or on those of `--account`. */
function chooseDrafts(
  { declared, workspace }: Opened,
  { file, name }: ReturnType<typeof parseDraft>,
  given: readonly string[],
): readonly DeclaredBroadcast[] {
  const drafts = declared.filter(
    (resource): resource is DeclaredBroadcast => resource.kind === 'broadcast' && resource.atOnce === true,
  );
  const wanted =
    given.length === 0 ? null : new Set(namedAccounts(workspace, given).map(({ alias }) => alias));
  const chosen = drafts.filter(
    ({ address }) => address.name === name && wanted?.has(address.account) !== false,
  );
  if (chosen.length > 0) return chosen;
  const there = drafts.map(({ address }) => `"${address.name}" for ${address.account}`).join(', ');
  const where = given.length === 0 ? '' : ` for ${given.join(', ')}`;
  throw new HeraldError(
    'no-match',
    `${file} has no broadcast "${name}"${where}.`,
    `It has: ${there || 'none'}.`,
  );
}

/** Nothing is sent: the name was used, the allowance is missing, or something else holds it back and says so itself. */
function refuseSend({ changes }: Plan, same: string): HeraldError {
  const concerned = changes.filter(({ action }) => action === 'done' || action === 'blocked');
  const reasons = concerned.map(({ address, reasons: why }) => `${formatAddress(address)}: ${why.join(' ')}`);
  const next = concerned.some(({ needs }) => needs.includes('now'))
    ? `To send it now: ${same}`
    : concerned.some(({ action }) => action === 'done')
      ? 'To send it again, give it a new name.'
      : 'Do what the message says. Then run the command again.';
  return new HeraldError('held', `Nothing was sent. ${reasons.join(' ')}`, next, {
    details: { changes: concerned },
  });
}

function askToSend({ changes, service }: Plan) {
  const accounts = changes.filter(writes).map(({ address }) => address.account);
  const [first] = changes.filter(writes);
  const text = shown`Send ${visible(JSON.stringify(first?.address.name ?? ''))} NOW on ${visible(accounts.join(', '))} at ${visible(servicePlace(service))}? What fans have received can be recalled for 24 hours only.`;
  const number = accounts.length;
  return { text, to: `send ${count(number, 'broadcast')}`, wanted: String(number), isShort: false };
}
