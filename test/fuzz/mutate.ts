import type { Dice } from '../chaos/dice.ts';

/** Values that programs stumble over; some would be secrets, commands or ways out if they were obeyed. */
const ODD: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e21,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  { id: null },
  '__proto__',
  'constructor',
  'toString',
  '${HERALD_API_KEY}',
  'https://${AWS_SECRET_ACCESS_KEY}.example',
  '{{first_name}}',
  '{{__proto__}}',
  '../outside/private.txt',
  '/proc/self/environ',
  '/dev/zero',
  '.git/config',
  '::error::forged',
  '##vso[task.setvariable variable=PATH]x',
  'x\u001b[2J\u009b\u202e\u0000\r\n::set-output name=a::b',
  '\ud800',
  'e\u0301'.repeat(200),
  'x'.repeat(5000),
  '/.*x.*x/',
  '/(a+)+$/i',
  '*a*a*a*a*b',
  '**/**/*',
  '101',
  '99999999999999999999',
  '2026-06-01T12:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-13-45T99:99',
  'Europe/Lisbon',
  'Mars/Olympus',
  'everyone',
  'archived',
  'recalled',
];

/** Pieces of text that mean something to YAML, JSON or a line of either. */
const PIECES = [
  '',
  ':',
  '- ',
  '{',
  ']',
  '"',
  "'",
  '&a ',
  '*a',
  '!!binary ',
  '\n---\n',
  '\t',
  '\u0000',
  '|',
  '<<: ',
  '{{',
  '1e999',
  '\n',
  '\r',
  '\ufeff',
  '\u2028',
  'null',
  '__proto__',
  '${HERALD_API_KEY}',
  '::error::',
];

export function oddValue(dice: Dice): unknown {
  // A copy: what is mutated later must not become an odd value of the next input, or hold itself.
  return structuredClone(dice.pick(ODD));
}

export function oddWord(dice: Dice): string {
  const value = oddValue(dice);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text with some pieces cut out, doubled or exchanged. */
export function mutateText(text: string, dice: Dice): string {
  let mutated = text;
  for (let left = dice.int(1, 4); left > 0; left -= 1) {
    const start = dice.int(0, mutated.length);
    const end = Math.min(mutated.length, start + dice.int(0, 30));
    const piece = dice.weighted([
      [6, dice.pick(PIECES)],
      [1, mutated.slice(start, end).repeat(2)],
      [1, oddWord(dice)],
    ]);
    mutated = mutated.slice(0, start) + piece + mutated.slice(end);
  }
  return mutated;
}

/** A document as text or as data, so that both what reads the text and what reads the data meets odd things. */
export function mutated(text: string, read: (text: string) => unknown, dice: Dice): string {
  const value = dice.oneIn(3) ? undefined : orUndefined(() => read(text));
  return value === undefined ? mutateText(text, dice) : (JSON.stringify(mutateValue(value, dice)) ?? '');
}

/** What was mutated before may not be readable any more. */
export function orUndefined(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The JSON value with some of its members exchanged, left out, doubled or renamed. */
function mutateValue(value: unknown, dice: Dice): unknown {
  const copy = { root: structuredClone(value) };
  for (let left = dice.int(1, 3); left > 0; left -= 1) mutateOnce(copy, dice);
  return copy.root;
}

function mutateOnce(copy: { root: unknown }, dice: Dice): void {
  const holders = holdersIn(copy);
  if (holders.length === 0) copy.root = oddValue(dice);
  if (holders.length === 0) return;
  const { holder, key } = dice.pick(holders);
  const members = holder as Record<string, unknown>;
  dice.weighted<() => void>([
    [5, () => (members[key] = oddValue(dice))],
    [2, () => void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete members[key])],
    [2, () => (members[key] = structuredClone(valueOf(dice.pick(holders))))],
    [1, () => define(members, String(oddValue(dice)), members[key])],
    [1, () => (Array.isArray(holder) ? holder.push(structuredClone(holder[0])) : undefined)],
  ])();
}

interface Member {
  readonly holder: object;
  readonly key: string;
}

function valueOf({ holder, key }: Member): unknown {
  return (holder as Record<string, unknown>)[key];
}

function define(members: object, name: string, value: unknown): void {
  const own = { value, enumerable: true, configurable: true, writable: true };
  if (!Array.isArray(members)) Object.defineProperty(members, name, own);
}

function holdersIn(value: object): Member[] {
  return Object.keys(value).flatMap((key) => {
    const below = valueOf({ holder: value, key });
    const deeper = typeof below === 'object' && below !== null ? holdersIn(below) : [];
    return [{ holder: value, key }, ...deeper];
  });
}
