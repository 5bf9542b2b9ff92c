import { formatCommand } from '../../../domain/command-line.ts';
import type {
  DeclaredBroadcast,
  DeclaredCampaign,
  ObservedBroadcast,
  ObservedCampaign,
} from '../../../domain/resource.ts';
import { isArchived, statusOf, STATUS_TRAITS } from '../../../domain/status.ts';
import { stopDeclared, type Case } from './cells.ts';
import { change, only, warning, type Decision } from './decision.ts';
import type { Version } from './group.ts';
import { beingStopped } from './open.ts';
import { broadcastState, campaignState } from './states.ts';

type CampaignCase = Case<DeclaredCampaign, ObservedCampaign>;

/** A recall that the service refused for good is done, with a warning. `recall` recalls the others. */
export function recallCampaigns(the: CampaignCase, recall: (rest: CampaignCase) => Decision): Decision {
  const refused = the.versions.filter(
    (version) =>
      ['active', 'paused'].includes(campaignState(version.observed)) && isRecallRefused(the, version),
  );
  const { changes } = recall({ ...the, versions: the.versions.filter((one) => !refused.includes(one)) });
  if (refused.length === 0) return only(...changes);
  return {
    changes: [
      ...refused.map((version) => change(the.declared, 'done', { version })),
      ...changes.filter(({ action }) => action !== 'keep'),
    ],
    diagnostics: refused.map(({ id, observed: { account, live } }) =>
      warning(
        the.declared,
        'recall-refused',
        `The service refused to recall ${id}, which is ${live.status ?? 'without a status'}. To stop it: ${formatCommand('campaigns', 'archive', id, '--account', account)}`,
      ),
    ),
  };
}

/**
 * | the version     | what                                                                     |
 * |-----------------|--------------------------------------------------------------------------|
 * | waits           | paused, then recalled²; without the allowance it is paused all the same  |
 * | recall refused  | done, with a warning                                                     |
 * | archived        | done: the 24 hours of a recall are over                                  |
 * | any other       | recalled²                                                                |
 */
export function recallBroadcasts(the: Case<DeclaredBroadcast, ObservedBroadcast>): Decision {
  const { declared, versions, facts, group } = the;
  const underWay = beingStopped({ versions, open: group.open });
  const open = versions.filter((one) => !isArchived(one.observed.live) && !underWay.includes(one));
  const waits = ({ observed }: { readonly observed: ObservedBroadcast }) =>
    broadcastState(observed) === 'waits';
  const refused = open.filter((version) => isRecallRefused(the, version) && !waits(version));
  const changes = open
    .filter((version) => !refused.includes(version))
    .flatMap((version) => {
      if (!waits(version)) return [stopDeclared(the, version, 'recall', ['recall'])];
      const recall = stopDeclared(the, version, 'recall', ['pause', 'recall']);
      return facts.allow.has('recall')
        ? [recall]
        : [stopDeclared(the, version, 'pause', ['pause', 'read_back']), recall];
    });
  const over = changes.length > 0 ? [] : [change(declared, 'done', { version: versions[0] ?? null })];
  return {
    changes: [...changes, ...over],
    diagnostics: refused.map(({ id, observed }) =>
      warning(
        declared,
        'recall-refused',
        `The service refused to recall ${id}. It refuses 24 hours after the last status change. ${afterRefusal(observed)}`,
      ),
    ),
  };
}

/** Whether the service refused its recall for good. */
function isRecallRefused({ facts }: Case, { id, observed: { accountId, kind } }: Version): boolean {
  return facts.past?.isRefused({ accountId, kind, liveId: id }, 'recall') === true;
}

function afterRefusal(observed: ObservedBroadcast): string {
  const { account, live } = observed;
  if (broadcastState(observed) === 'paused') return 'It is paused and never went out.';
  const isRunning = STATUS_TRAITS[statusOf(live)].runs;
  const what = isRunning
    ? 'It still goes out. To stop it'
    : 'Fans keep the messages that they got. To try again, if its status has changed since';
  return `${what}: ${formatCommand('broadcasts', isRunning ? 'pause' : 'recall', live.id, '--account', account)}`;
}
