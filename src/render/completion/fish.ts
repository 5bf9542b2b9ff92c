import { allCommands, type CommandNode, type OptionNode, type Values } from './nodes.ts';

/** Completion script for fish, with descriptions of commands and options. */
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

${WALK}
complete -c herald -e
complete -c herald -f
${commands.flatMap(linesOf).join('\n')}
`;
}

const WALK = `# Prints the command before the cursor, such as "campaigns pause"; then if it has an argument already; then the
# directories of -C.
function __herald_at
    set -l at ''
    set -l argument ''
    set -l chdirs
    set -l option ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test -n "$option"
            if contains -- $option -C --chdir
                set -a chdirs $word
            end
            set option ''
        else if string match -qr -- '^-[^-C]*C$' $word
            set option -C
        else if contains -- " $word" $__herald_valued; or contains -- "$at $word" $__herald_valued
            set option $word
        else if string match -qr -- '^(--chdir=|-C).' $word
            set -a chdirs (string replace -r -- '^(--chdir=|-C)' '' $word)
        else if contains -- (string trim -- "$at $word") $__herald_paths
            set at (string trim -- "$at $word")
        else if not string match -qr -- '^-.' $word
            set argument yes
        end
    end
    printf '%s\\n' "$at" "$argument"
    for chdir in $chdirs
        string replace -r -- '^~(?=/|$)' "$HOME" $chdir
    end
end

function __herald_is
    set -l at (__herald_at)
    test "$at[1]" = "$argv[1]"
end

# The same, as long as no argument stands there.
function __herald_lacks
    set -l at (__herald_at)
    test "$at[1]" = "$argv[1]" -a -z "$at[2]"
end

function __herald_accounts
    set -l at (__herald_at)
    set -l chdirs
    for chdir in $at[3..-1]
        set -a chdirs -C $chdir
    end
    herald $chdirs completion --accounts 2>/dev/null
end

# Paths as herald reads them: from the directory of -C.
function __herald_files
    set -l at (__herald_at)
    set -l token (string replace -r -- '^(--[^=]*=|-[^-C]*C)' '' (commandline -ct))
    set -l base ''
    if not string match -qr -- '^["\\']?[/~$]' $token
        for chdir in $at[3..-1]
            string match -q -- '/*' $chdir; and set base ''
            set base $base$chdir/
        end
    end
    if test -n "$base"
        set token (string escape -- $base)$token
    end
    complete -C "__herald_none $token" | string replace -r '\\t.*' '' | string sub -s (math (string length -- $base) + 1)
end

function __herald_directories
    __herald_files | string match '*/'
end
`;

function linesOf({ path, commands, options, argument, repeated }: CommandNode): readonly string[] {
  const here = `-n ${quote(`__herald_is ${quote(path)}`)}`;
  const wanted = repeated ? here : `-n ${quote(`__herald_lacks ${quote(path)}`)}`;
  const rest = commands.length === 0 ? valuesOf(argument) : '';
  return [
    ...commands.map(
      ({ name, description }) => `complete -c herald ${here} -a ${name} -d ${quote(description)}`,
    ),
    ...options.map((option) => optionLine(path === '' ? '' : `${here} `, option)),
    ...(rest === '' ? [] : [`complete -c herald ${wanted} ${rest}`]),
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
      return `-x -a ${quote('(__herald_files)')}`;
    case 'directories':
      return `-x -a ${quote('(__herald_directories)')}`;
    case 'accounts':
      return `-x -a ${quote('(__herald_accounts)')}`;
    case 'free':
      return '';
  }
}

/** In single quotes, fish interprets \\' and \\\\ only. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
