import { relative, resolve } from 'node:path';
import { visibleProse } from '../domain/visible.ts';
import type { Annotation } from '../domain/ports.ts';

/** Draws an annotation as a line that the CI takes as a command. */
export type DrawAnnotation = (annotation: Annotation) => string;

/**
 * Annotations on GitHub, which shows them in the changed files of a pull request. `directory` is the workspace. Paths
 * are relative to the repository.
 */
export function gitHubAnnotations(
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): DrawAnnotation | undefined {
  if (env['GITHUB_ACTIONS'] !== 'true') return undefined;
  const repository = env['GITHUB_WORKSPACE'] ?? directory;
  return ({ level, title, message, place }) => {
    const file = relative(repository, resolve(directory, place?.file ?? '')).replaceAll('\\', '/');
    const at = place === null ? '' : `file=${property(file)},line=${place.line},col=${place.column},`;
    return `::${level} ${at}title=${property(title)}::${data(message)}`;
  };
}

/**
 * Text of a command. A line break would end it, and the text behind it could begin another one. Other control
 * characters and commands of other forms are made visible first.
 */
function data(text: string): string {
  return visibleProse(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
