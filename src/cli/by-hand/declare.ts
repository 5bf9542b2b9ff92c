import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

interface Flags {
  readonly account?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** The changes that a person makes by hand, outside the files. */
export function declareByHand(program: Command, act: Act): void {
  declareCampaigns(group(program, 'campaigns', 'Auto Messages campaigns, by hand'), act);
  declareBroadcasts(group(program, 'broadcasts', 'Priority Mass Messages broadcasts, by hand'), act);
}

const CAMPAIGN_VERBS = [
  ['activate', 'activate', 'switch a paused or archived campaign on; it reacts to its trigger at once'],
  ['pause', 'pause', 'stop a campaign; it keeps its queue, and is archived by the service after 7 days'],
  ['archive', 'archive', 'stop a campaign for good and clear its queue'],
  [
    'unsend',
    'recall',
    'stop a campaign and take back what it delivered in the last 24 hours; cannot be undone',
  ],
] as const;

function declareCampaigns(campaigns: Command, act: Act): void {
  for (const [verb, action, description] of CAMPAIGN_VERBS) {
    byHand(campaigns, verb, description, [
      `herald campaigns ${verb} 77 --account alice`,
      `herald campaigns ${verb} 77 --account alice --yes --format json`,
    ]).action((liveId: string, flags: Flags, command: Command) =>
      act(command, async (context) =>
        (await import('./command.ts')).byHandCommand(
          context,
          { kind: 'campaign', action, liveId, force: false },
          { account: flags.account, yes: flags.yes === true },
        ),
      ),
    );
  }
}

const BROADCAST_VERBS = [
  ['pause', 'pause', 'stop a broadcast; before its hour and for 5 days without loss'],
  ['resume', 'resume', 'let a paused broadcast go on; past its hour it goes out at once'],
  ['unsend', 'recall', 'stop a broadcast and take back what it delivered; within 24 hours, cannot be undone'],
] as const;

function declareBroadcasts(broadcasts: Command, act: Act): void {
  for (const [verb, action, description] of BROADCAST_VERBS) {
    const command = byHand(broadcasts, verb, description, [
      `herald broadcasts ${verb} 5501 --account alice`,
      `herald broadcasts ${verb} 5501 --account alice --yes --format json`,
    ]);
    if (verb === 'resume') command.option('--force', 'also after the service paused it for send errors');
    command.action((liveId: string, flags: Flags, on: Command) =>
      act(on, async (context) =>
        (await import('./command.ts')).byHandCommand(
          context,
          { kind: 'broadcast', action, liveId, force: flags.force === true },
          { account: flags.account, yes: flags.yes === true },
        ),
      ),
    );
  }
}

function byHand(parent: Command, verb: string, description: string, examples: readonly string[]): Command {
  return sub(parent, `${verb} <ID>`, description, examples)
    .option('--account <name>', 'whose it is: an alias or an id; not needed where the workspace has one')
    .option('--yes', 'do not ask');
}
