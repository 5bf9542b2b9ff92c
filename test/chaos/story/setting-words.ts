import type { Account, Written } from '../declare.ts';
import type { DrawnFault } from '../fault-kinds.ts';

/** What the files declare now, one line for each resource. */
export function filesWords(
  written: readonly Written[],
  accounts: readonly Account[],
  owner: string,
): readonly string[] {
  const resources = written.map(({ kind, name, target, content, protect, hourMs }) => {
    const hour = hourMs === null ? '' : ` at ${new Date(hourMs).toISOString().slice(0, 16)}Z`;
    const file = content.sha256 === null ? '' : ' with a file';
    return `    ${kind} "${name}" ${target}${hour}, says "${content.text}"${file}${protect ? ', protected' : ''}`;
  });
  const where = accounts.map(({ alias }) => alias).join(' and ');
  return [`The files of ${owner} say for ${where}:`, ...resources];
}

/** What is going to go wrong, in the words of the simulator. */
export function faultWords({ kind, ...rest }: DrawnFault['fault']): string {
  const members = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `Prepared: ${kind} (${members.join(', ')})`;
}
