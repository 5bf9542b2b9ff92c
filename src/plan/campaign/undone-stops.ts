import type { Allowance } from '../../domain/allowance.ts';
import {
  passedEndOf,
  pausedVersions,
  classifyCampaign,
  isStopped,
  isStoppedDuplicate,
  type CampaignCase,
  type CampaignCell,
  type CampaignMember,
} from './column.ts';
import { blocked, only } from '../decision.ts';
import { isOurStop, isStoppedByHand, latestOfContent, stopWords } from '../person-stops.ts';
import { formatCommand } from '../../domain/command-line.ts';

/** Stops by people that a change would undo, in words, and what it needs for that. */
export interface UndoneStops {
  readonly words: readonly string[];
  readonly needs: readonly Allowance[];
}

type Cell = 'create' | 'replace' | 'finish' | 'activate' | 'reactivate';

/**
 * A person's stop is kept. Before anything of a name starts, Herald checks these versions. Each one that no apply
 * stopped needs `--allow resume`:
 *
 * | cell             | looked at                                                                       |
 * |------------------|---------------------------------------------------------------------------------|
 * | replace          | the latest version with the declared content, other than the running one        |
 * | activate, finish | that one, every paused version, and the newest that Herald made or adopted      |
 * | reactivate       | that one, and the newest that Herald made or adopted                            |
 * | create           | that one, and the newest that Herald made or adopted                            |
 *
 * A replace does not look at the newest one: the person who stopped that let another version run.
 */
const LOOKED_AT = {
  replace: [latest],
  activate: [latest, paused, newest],
  finish: [latest, paused, newest],
  reactivate: [latest, newest],
  create: [latest, newest],
} as const satisfies Record<Cell, readonly ((the: CampaignCase) => readonly CampaignMember[])[]>;

export function undoneStops(the: CampaignCase, cell: Cell): UndoneStops {
  const members = new Set(LOOKED_AT[cell].flatMap((look) => look(the)));
  const stops = [...members].filter((member) => !isOurStop(member, the.terms.nowMs));
  return { words: stops.map(stopWords), needs: stops.length === 0 ? [] : ['resume'] };
}

function latest({ group }: CampaignCase): readonly CampaignMember[] {
  const member = latestOfContent(group);
  return member !== null && isStopped(member) ? [member] : [];
}

function paused({ group }: CampaignCase): readonly CampaignMember[] {
  return pausedVersions(group);
}

/**
 * Without ended ones, which no person stopped, and without campaigns of someone else and duplicates, which say nothing
 * about ours.
 */
function newest({ group, terms }: CampaignCase): readonly CampaignMember[] {
  const member = group.findLast((one) => (one.ours || isStoppedByHand(one)) && !isStoppedDuplicate(one));
  if (member === undefined || !isStopped(member)) return [];
  return passedEndOf(member, terms.nowMs) === null ? [member] : [];
}

/** A recalled text is not sent again, whatever else of the name runs or was stopped. */
export function unlessRecalled(cell: CampaignCell): CampaignCell {
  return (the) => {
    const member = latestOfContent(the.group);
    if (member === null || classifyCampaign(member) !== 'recall') return cell(the);
    const running = the.group.find((other) => classifyCampaign(other) === 'active');
    const instead =
      running === undefined
        ? ''
        : ` ${running.id} runs instead. To keep it: ${formatCommand('import', '--update')}, or restore the file.`;
    const what =
      member.comparison.verdict === 'equal'
        ? `Recalled: ${member.id}. It has the declared content.`
        : `Recalled: ${member.id}, the newest of this name. It cannot be compared with the file.`;
    const reason = `${what}${instead} To send it again, give it a new name.`;
    return only(blocked(the.declared, reason, member));
  };
}
