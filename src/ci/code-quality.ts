import { sha256Of } from '../domain/digest.ts';
import type { Annotation } from '../domain/ports.ts';

interface CodeQualityEntry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITIES = {
  notice: 'info',
  warning: 'minor',
  error: 'major',
} as const satisfies Record<Annotation['level'], CodeQualityEntry['severity']>;

/** Annotations as a code-quality report. `folder` is that of the workspace, because GitLab counts from the repository. */
export function codeQuality(annotations: readonly Annotation[], folder: string): readonly CodeQualityEntry[] {
  return annotations.flatMap(({ level, title, message, place }) => {
    if (place === null) return [];
    const location = {
      path: folder === '' ? place.file : `${folder}/${place.file}`,
      lines: { begin: place.line },
    };
    return [
      {
        description: message,
        check_name: title,
        fingerprint: sha256Of({ title, message, location }).slice('sha256:'.length),
        severity: SEVERITIES[level],
        location,
      },
    ];
  });
}
