import type { Allowance } from '../../domain/allowance.ts';
import {
  classifyBroadcastAt,
  type BroadcastCase,
  type BroadcastCell,
  type BroadcastMember,
} from './column.ts';
import { blocked, only } from '../decision.ts';
import { isOurStop, latestOfContent, stopWords } from '../person-stops.ts';

/** Stops by people that a change would undo, in words, and what it needs for that. */
interface UndoneStops {
  readonly words: readonly string[];
  readonly needs: readonly Allowance[];
}

/**
 * What a person stops stays stopped. Before something of a name is to go out, the latest version with the declared
 * content is looked at, and the paused ones that the cell is about; each that an apply did not stop itself needs
 * `--allow resume`.
 */
export function undoneStops(the: BroadcastCase, paused: readonly BroadcastMember[] = []): UndoneStops {
  const { group, terms } = the;
  const latest = latestOfContent(group);
  const isStopped = latest !== null && STOPPED.includes(classifyBroadcastAt(latest, terms.nowMs));
  const members = new Set([...(isStopped ? [latest] : []), ...paused]);
  const stops = [...members].filter((member) => !isOurStop(member, terms.nowMs));
  return { words: stops.map(stopWords), needs: stops.length === 0 ? [] : ['resume'] };
}

const STOPPED: readonly ReturnType<typeof classifyBroadcastAt>[] = ['paused_pending', 'archived'];

/**
 * A recalled text is not sent again, whatever else of the name waits or was stopped. One that is only paused may be
 * resumed: that undoes the recall of this very object, and needs a person.
 */
export function unlessRecalled(cell: BroadcastCell): BroadcastCell {
  return (the) => {
    const member = latestOfContent(the.group);
    if (member?.known?.recalled !== true || the.members.includes(member)) return cell(the);
    const reason = `Herald recalled ${member.id}, and it has the declared content. To send it again, give it a new name.`;
    return only(blocked(the.declared, reason, member));
  };
}
