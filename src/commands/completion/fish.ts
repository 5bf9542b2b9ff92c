import { allCommands, type CommandNode, type OptionNode, type Values } from './tree.ts';

/** A completion for fish, with the descriptions of commands and options. */
export function fishCompletion(root: CommandNode): string {
  const commands = allCommands(root);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ values }) => values !== null)
      .flatMap(({ names }) => names.map((name) => quote(`${path} ${name}`))),
  );
  return `# fish completion for herald. Load it with: herald completion fish | source

set -g __herald_paths ${paths.join(' ')}
# Options with a value, each behind its command; those of herald itself behind nothing.
set -g __herald_valued ${valued.join(' ')}

# The command that the words up to the cursor name, as "campaigns pause".
function __herald_at
    set -l at ''
    set -l skip 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $skip -eq 1
            set skip 0
        else if string match -q -- '-*' $word
            if contains -- " $word" $__herald_valued; or contains -- "$at $word" $__herald_valued
                set skip 1
            end
        else if contains -- (string trim -- "$at $word") $__herald_paths
            set at (string trim -- "$at $word")
        end
    end
    echo $at
end

function __herald_is
    set -l at (__herald_at)
    test "$at" = "$argv[1]"
end

function __herald_accounts
    set -l chdir .
    set -l words (commandline -opc)
    for index in (seq (count $words))
        if contains -- $words[$index] -C --chdir
            set chdir $words[(math $index + 1)]
        end
    end
    herald -C $chdir completion --accounts 2>/dev/null
end

complete -c herald -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, argument }: CommandNode): readonly string[] {
  const here = `-n ${quote(`__herald_is ${quote(path)}`)}`;
  const rest = commands.length === 0 ? valuesOf(argument) : '';
  return [
    ...commands.map(
      ({ name, description }) => `complete -c herald ${here} -a ${name} -d ${quote(description)}`,
    ),
    ...options.map((option) => optionLine(path === '' ? '' : `${here} `, option)),
    ...(rest === '' ? [] : [`complete -c herald ${here} ${rest}`]),
  ];
}

function optionLine(here: string, { names, description, values }: OptionNode): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = values === null ? [] : [valuesOf(values) || '-x'];
  return ['complete -c herald', `${here}${flags.join(' ')}`, ...value, '-d', quote(description)].join(' ');
}

function valuesOf(values: Values): string {
  switch (values.kind) {
    case 'words':
      return values.words.length === 0 ? '' : `-x -a ${quote(values.words.join(' '))}`;
    case 'files':
      return '-r -F';
    case 'directories':
      return `-x -a ${quote('(__fish_complete_directories)')}`;
    case 'accounts':
      return `-x -a ${quote('(__herald_accounts)')}`;
    case 'free':
      return '';
  }
}

/** Inside single quotes fish reads \\' and \\\\ only. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
