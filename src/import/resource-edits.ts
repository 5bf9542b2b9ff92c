import { canonical } from '../domain/digest.ts';
import { wallClockIn } from '../workspace/schedule.ts';
import { audienceEdits } from './audience-edits.ts';
import type { Edit } from './editable-file.ts';
import { isForm, type Form, type FormPath, type Plain, type Typed } from './form.ts';
import { messageEdits, type MessageWriter } from './message-edits.ts';

/** What is live, and where a file says something else. */
export interface Difference {
  /** The live object as a file would say it. */
  readonly form: Form;
  /** As the plan names them: `rules.end_at`, `messages[0].text`, … */
  readonly paths: readonly string[];
  /** Set where the status differs: what the file should say, null for the usual one. */
  readonly status: string | null | undefined;
  /** The keys in which a declared message differs from a live one. */
  messageKeys(declared: number, live: number): readonly string[];
}

/** The edits that make a typed resource say what is live, and nothing else. */
export function resourceEdits(typed: Typed, difference: Difference, writer: MessageWriter): readonly Edit[] {
  const { form, paths, status } = difference;
  const touches = (area: string) => paths.some((path) => path === area || path.startsWith(`${area}.`));
  const heads = ['trigger', 'action', 'scheduled_at'].filter(touches);
  const messages = paths.some((path) => path.startsWith('messages')) || touches('action');
  return [
    ...(status === undefined ? [] : [status === null ? remove('status') : set(['status'], status)]),
    ...heads.flatMap((key) => valueEdits(typed, [key], form[key])),
    ...paths.filter((path) => path.startsWith('rules.')).flatMap((path) => ruleEdits(typed, form, path)),
    ...(touches('audience_filters') ? audienceEdits(typed, form) : []),
    ...(messages ? messageEdits(typed['messages'], form['messages'], difference, writer) : []),
  ];
}

function ruleEdits(typed: Typed, form: Form, path: string): readonly Edit[] {
  const rule = path.split('.').slice(0, 2);
  // A rule that the file does not have yet comes as a whole: part of it may not be one.
  const steps = at(typed, rule) === undefined ? rule : path.split('.');
  let value: Plain | undefined = form;
  for (const [index, step] of steps.entries()) {
    const next: Plain | undefined = isForm(value) ? value[step] : undefined;
    // Nothing is set there: what lies around it goes as a whole.
    if (next === undefined) return [{ op: 'delete', path: steps.slice(0, index + 1) }];
    value = next;
  }
  return valueEdits(typed, steps, value);
}

/** Times stay on the clock of the zone that is written beside them, as long as it shows the hour. */
function valueEdits(typed: Typed, path: readonly string[], value: Plain | undefined): readonly Edit[] {
  if (value === undefined) return [{ op: 'delete', path }];
  const key = path.at(-1) ?? '';
  if (!key.endsWith('_at') || typeof value !== 'string') return [set(path, value)];
  const zonePath = [...path.slice(0, -1), `${key}_timezone`];
  const zone = at(typed, zonePath);
  if (typeof zone !== 'string') return [set(path, value)];
  const wall = wallClockIn(zone, value);
  return wall === null ? [set(path, value), { op: 'delete', path: zonePath }] : [set(path, wall)];
}

function at(value: unknown, path: FormPath): unknown {
  let found = value;
  for (const step of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  return found;
}

/** Edits that come to the same. */
export function sameEdits(left: readonly Edit[], right: readonly Edit[]): boolean {
  return canonical(left) === canonical(right);
}

function set(path: FormPath, value: Plain): Edit {
  return { op: 'set', path, value };
}

function remove(key: string): Edit {
  return { op: 'delete', path: [key] };
}
