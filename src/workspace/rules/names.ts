import { problem, type Finding, type Path } from '../findings.ts';
import { hasPlaceholder } from '../variables.ts';

interface Named {
  readonly name: string;
  readonly renamed_from?: string | undefined;
}

/** The name is the only handle that a resource has, so it must look like what it is (CONTENT-2). */
export function nameIsVisible({ name }: Named): Finding[] {
  return invisible(name, ['name']);
}

export function oldNameIsVisible({ renamed_from: oldName }: Named): Finding[] {
  return oldName === undefined ? [] : invisible(oldName, ['renamed_from']);
}

export function renamedFromAnother({ name, renamed_from: oldName }: Named): Finding[] {
  if (oldName === undefined || oldName.normalize('NFC') !== name.normalize('NFC')) return [];
  const message = 'It is renamed from the name that it has: remove renamed_from, or write the old name.';
  return [problem('renamed-from-itself', ['renamed_from'], message)];
}

function invisible(name: string, path: Path): Finding[] {
  const refuse = (message: string): Finding[] => [problem('invalid-name', path, message)];
  if (hasPlaceholder(name)) {
    const message = 'A name is the same on every account: variables stand in texts and ids only.';
    return [problem('name-has-variable', path, message)];
  }
  if (/^[\p{Z}\p{C}]*$/u.test(name)) return refuse('This name cannot be seen: write letters.');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return refuse('A name is one line without control characters: remove them.');
  if (/\p{Cs}/u.test(name)) return refuse('This name holds half a character: write it anew.');
  if (/^\p{Z}|\p{Z}$/u.test(name)) return refuse('A name neither begins nor ends with a space: remove it.');
  return [];
}
