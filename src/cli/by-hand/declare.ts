import type { Command } from 'commander';
import { type Act, collect, group, lockTimeout, STOP_NEEDS_NO_LOCK, sub } from '../sub.ts';

interface Flags {
  readonly account?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly again?: boolean;
}

/** Commands that change one object by hand, without the files. */
export function declareByHand(program: Command, act: Act): void {
  declareCampaigns(group(program, 'campaigns', 'list and change single campaigns'), act);
  declareBroadcasts(group(program, 'broadcasts', 'list and change single broadcasts'), act);
}

/** These go ahead while another run has the lease. */
const STOPS: ReadonlySet<string> = new Set(['pause', 'archive', 'recall', 'unsend']);

/** The service's word for a recall. It works as a verb as well, but help and completion do not show it. */
const OLD_RECALL = 'unsend';
const RECALL_CAMPAIGN = 'stop a campaign and recall its messages of the last 24 hours; cannot be undone';
const RECALL_BROADCAST = 'stop a broadcast and recall its messages, within 24 hours; cannot be undone';

const CAMPAIGN_VERBS = [
  ['activate', 'activate', 'activate a paused or archived campaign; its trigger works immediately'],
  ['pause', 'pause', 'pause a campaign; it keeps its queue, and the service archives it after 7 days'],
  ['archive', 'archive', 'stop a campaign permanently and clear its queue'],
  ['recall', 'recall', RECALL_CAMPAIGN],
  [OLD_RECALL, 'recall', RECALL_CAMPAIGN],
] as const;

function declareCampaigns(campaigns: Command, act: Act): void {
  for (const [verb, action, description] of CAMPAIGN_VERBS) {
    const command = byHand(campaigns, verb, description, [
      `herald campaigns ${verb} alice/campaign/Welcome`,
      `herald campaigns ${verb} 77 --account alice --yes --format json`,
      ...(STOPS.has(verb) ? [`herald campaigns ${verb} 'vip/campaign/*'`] : []),
    ]);
    if (action === 'activate')
      command.option('--again', 'send it even if it is active; it completes a change that broke off');
    command.action((typed: string, flags: Flags, on: Command) =>
      act(on, async (context) =>
        (await import('./command.ts')).byHandCommand(context, {
          kind: 'campaign',
          action,
          typed,
          account: flags.account,
          force: false,
          again: flags.again === true,
          yes: flags.yes === true,
        }),
      ),
    );
  }
}

const BROADCAST_VERBS = [
  ['pause', 'pause', 'pause a broadcast; it can be resumed within 5 days'],
  [
    'resume',
    'resume',
    'resume a paused broadcast; less than 5 minutes before its time, or after it, only with --force',
  ],
  ['recall', 'recall', RECALL_BROADCAST],
  [OLD_RECALL, 'recall', RECALL_BROADCAST],
] as const;

function declareBroadcasts(broadcasts: Command, act: Act): void {
  declareSendNow(broadcasts, act);
  for (const [verb, action, description] of BROADCAST_VERBS) {
    const command = byHand(broadcasts, verb, description, [
      `herald broadcasts ${verb} alice/broadcast/News`,
      `herald broadcasts ${verb} 5501 --account alice --yes --format json`,
      ...(STOPS.has(verb) ? [`herald broadcasts ${verb} 'vip/broadcast/*'`] : []),
    ]);
    if (verb === 'resume')
      command.option(
        '--force',
        'resume it even if the service paused it for send errors, or its time is near or has passed',
      );
    command.action((typed: string, flags: Flags, on: Command) =>
      act(on, async (context) =>
        (await import('./command.ts')).byHandCommand(context, {
          kind: 'broadcast',
          action,
          typed,
          account: flags.account,
          force: flags.force === true,
          again: false,
          yes: flags.yes === true,
        }),
      ),
    );
  }
}

function declareSendNow(broadcasts: Command, act: Act): void {
  sub(broadcasts, 'send <FILE#NAME>', 'send one broadcast of a file at once, never twice', [
    "herald broadcasts send 'drafts/today.yaml#Flash sale' --allow now",
    "herald broadcasts send 'drafts/today.yaml#Flash sale' --account alice --allow now --yes",
  ])
    .option('--account <name>', 'only this account, by alias or group (repeatable)', collect, [])
    .option('--allow <name>', 'now: it cannot be stopped before it goes out (repeatable)', collect, [])
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
    .action((what: string, flags: SendFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./send-now.ts')).sendNowCommand(context, what, {
          account: flags.account,
          allow: flags.allow,
          yes: flags.yes === true,
        }),
      ),
    );
}

interface SendFlags {
  readonly account: readonly string[];
  readonly allow: readonly string[];
  readonly yes?: boolean;
}

function byHand(parent: Command, verb: string, description: string, examples: readonly string[]): Command {
  return sub(parent, `${verb} <ID|ADDRESS>`, description, examples, { hidden: verb === OLD_RECALL })
    .option('--account <name>', 'alias or id (needed for an id if the workspace has several accounts)')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout(STOPS.has(verb) ? STOP_NEEDS_NO_LOCK : undefined));
}
