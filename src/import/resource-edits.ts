import { canonical } from '../domain/digest.ts';
import { resolveTime, wallClockIn } from '../workspace/schedule.ts';
import { audienceEdits } from './audience-edits.ts';
import type { Edit } from './editable-file.ts';
import { isForm, type Form, type FormPath, type Plain, type Typed } from './form.ts';
import { messageEdits, type MessageWriter } from './message-edits.ts';

/** A live object, and its differences from a file. */
export interface Difference {
  /** The live object in the form of a file. */
  readonly form: Form;
  /** Paths as in plans: `rules.end_at`, `messages[0].text`, … */
  readonly paths: readonly string[];
  /** Set if the status differs: the new value for the file, or null for the default. */
  readonly status: string | null | undefined;
  /** Keys that differ between a declared and a live message. */
  messageKeys(declared: number, live: number): readonly string[];
}

/** The edits that make a written resource equal to live, and nothing else. */
export function resourceEdits(typed: Typed, difference: Difference, writer: MessageWriter): readonly Edit[] {
  const { form, paths, status } = difference;
  const touches = (area: string) => paths.some((path) => path === area || path.startsWith(`${area}.`));
  const heads = ['trigger', 'action', 'scheduled_at'].filter(touches);
  const messages = paths.some((path) => path.startsWith('messages')) || touches('action');
  return [
    ...(status === undefined ? [] : [status === null ? remove('status') : set(['status'], status)]),
    ...heads.flatMap((key) => valueEdits(typed, [key], form)),
    ...paths.filter((path) => path.startsWith('rules.')).flatMap((path) => ruleEdits(typed, form, path)),
    ...(touches('audience_filters') ? audienceEdits(typed, form) : []),
    ...(messages ? messageEdits(typed['messages'], form['messages'], difference, writer) : []),
  ];
}

function ruleEdits(typed: Typed, form: Form, path: string): readonly Edit[] {
  const rule = path.split('.').slice(0, 2);
  // A new rule is added as a whole, because a part may not be valid.
  const steps = at(typed, rule) === undefined ? rule : path.split('.');
  // A value that is not set live is removed with the parents that are not either.
  const unset = steps.findIndex((_, index) => liveAt(form, steps.slice(0, index + 1)) === undefined);
  return unset === -1 ? valueEdits(typed, steps, form) : [{ op: 'delete', path: steps.slice(0, unset + 1) }];
}

function liveAt(form: Form, path: FormPath): Plain | undefined {
  return path.reduce<Plain | undefined>((value, step) => (isForm(value) ? value[step] : undefined), form);
}

/** Keeps local times of the written zone, if the zone has this time. */
function valueEdits(typed: Typed, path: readonly string[], form: Form): readonly Edit[] {
  const value = liveAt(form, path);
  if (value === undefined) return [{ op: 'delete', path }];
  const key = path.at(-1) ?? '';
  if (!key.endsWith('_at') || typeof value !== 'string') return [set(path, value)];
  const zonePath = [...path.slice(0, -1), `${key}_timezone`];
  const [zone, liveZone] = [at(typed, zonePath), liveAt(form, zonePath)];
  const time = resolveTime(value, typeof liveZone === 'string' ? liveZone : undefined);
  const wall = typeof zone === 'string' && time.kind === 'hour' ? wallClockIn(zone, time.utc) : null;
  if (wall !== null) return [set(path, wall)];
  if (zone === liveZone) return [set(path, value)];
  return [
    set(path, value),
    liveZone === undefined ? { op: 'delete', path: zonePath } : set(zonePath, liveZone),
  ];
}

function at(value: unknown, path: FormPath): unknown {
  let found = value;
  for (const step of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  return found;
}

/** True for edits with the same result. */
export function sameEdits(left: readonly Edit[], right: readonly Edit[]): boolean {
  return canonical(left) === canonical(right);
}

function set(path: FormPath, value: Plain): Edit {
  return { op: 'set', path, value };
}

function remove(key: string): Edit {
  return { op: 'delete', path: [key] };
}
