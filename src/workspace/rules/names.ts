import { error, type Finding, type Path } from '../findings.ts';
import { hasPlaceholder } from '../variables.ts';
import type { Rule } from './rule.ts';

interface Named {
  readonly name: string;
  readonly renamed_from?: string | undefined;
}

/** Rules for the names of any resource. */
export const NAME_RULES: readonly Rule<Named>[] = [nameIsVisible, oldNameIsVisible, renamedFromAnother];

/** The name identifies a resource, so it must be readable (CONTENT-2). */
function nameIsVisible({ name }: Named): Finding[] {
  return invisible(name, ['name']);
}

function oldNameIsVisible({ renamed_from: oldName }: Named): Finding[] {
  return oldName === undefined ? [] : invisible(oldName, ['renamed_from']);
}

function renamedFromAnother({ name, renamed_from: oldName }: Named): Finding[] {
  if (oldName === undefined || oldName.normalize('NFC') !== name.normalize('NFC')) return [];
  const message = 'renamed_from equals the name. Remove it, or write the former name.';
  return [error('renamed-from-itself', ['renamed_from'], message)];
}

function invisible(name: string, path: Path): Finding[] {
  const refuse = (message: string): Finding[] => [error('invalid-name', path, message)];
  if (hasPlaceholder(name)) {
    const message = 'A name is the same for every account. Use variables only in texts and ids.';
    return [error('name-has-variable', path, message)];
  }
  if (/^[\p{Z}\p{C}\u{2800}]*$/u.test(name)) return refuse('This name is invisible. Use letters.');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return refuse('A name must be one line without control characters. Remove them.');
  if (/\p{Cs}/u.test(name)) return refuse('This name has a broken character. Write it again.');
  if (/^\p{Z}|\p{Z}$/u.test(name)) return refuse('A name must not begin or end with a space. Remove it.');
  return [];
}
