import type { Author } from './declared.ts';
import { ALIASES, kindOfSlot, SLOTS, type Allow, type ByHand, type Command, type Verb } from './scenario.ts';
import type { Service } from './service.ts';
import { addressOf, type Live, type Process } from './trace.ts';

/** What a process is told to do. */
export type Line = Pick<Process, 'args' | 'does' | 'allow'> &
  Partial<Pick<Process, 'hand' | 'agreed' | 'targeted' | 'declared'>> & {
    /** What the CI tells a job. */
    readonly env?: Readonly<Record<string, string>>;
  };

export const flagsOf = (allow: readonly Allow[]) => allow.flatMap((one) => ['--allow', one]);

/** Null where there is nothing that the command could be about. */
export function commandLine(
  { author, service }: { readonly author: Author; readonly service: Service },
  command: Exclude<Command, { kind: 'saved' }>,
): Line | null {
  switch (command.kind) {
    case 'apply': {
      const { allow, target } = command;
      const name = target === null ? undefined : author.declaration.get(target)?.name;
      const targets =
        target === null || name === undefined ? [] : ['--target', `*/${kindOfSlot(target)}/${name}`];
      return {
        args: ['apply', '--yes', ...flagsOf(allow), ...targets],
        does: 'apply',
        allow,
        targeted: targets.length > 0,
      };
    }
    case 'look': {
      const more =
        command.at === 'plan' ? ['--detailed-exitcode'] : command.at === 'import' ? ['--update'] : [];
      return { args: [command.at, ...more], does: 'look', allow: [] };
    }
    case 'hand':
      return handLine(author, service.live(), command);
  }
}

/** Null where an id is to be given and there is no object yet. */
function handLine(author: Author, all: readonly Live[], { slot, alias, ...command }: ByHand): Line | null {
  const kind = kindOfSlot(slot);
  const verb = verbFor(kind, command.verb);
  const isStart = verb === 'activate' || verb === 'resume';
  const by = isStart && command.by !== 'id' ? 'address' : command.by;
  const names = author.namesOf(slot);
  const newest = all.findLast((one) => one.alias === alias && one.kind === kind && names.includes(one.name));
  if (by === 'id' && newest === undefined) return null;
  const slots = by === 'all' ? SLOTS.filter((one) => kindOfSlot(one) === kind) : [slot];
  const addresses =
    by === 'id' || by === 'address'
      ? [addressOf({ alias, kind, name: newest?.name ?? names[0] ?? slot })]
      : slots.flatMap((one) =>
          author
            .namesOf(one)
            .flatMap((name) => ALIASES.map((each) => addressOf({ alias: each, kind, name }))),
        );
  const words = {
    id: [newest?.id ?? '', '--account', alias],
    address: addresses,
    pattern: [`*/${kind}/${slot}*`],
    all: ['--all'],
  }[by];
  const targets = all.filter((one) => (by === 'id' ? one === newest : addresses.includes(addressOf(one))));
  return {
    args: [`${kind}s`, verb, ...words, '--yes'],
    does: 'hand',
    allow: [],
    hand: { verb, addresses, targets, byId: by === 'id' },
  };
}

/** Campaigns are activated and archived; broadcasts are resumed. */
function verbFor(kind: 'campaign' | 'broadcast', verb: Verb): Verb {
  if (kind === 'campaign') return verb === 'resume' ? 'activate' : verb;
  return verb === 'activate' ? 'resume' : verb === 'archive' ? 'pause' : verb;
}
