"""`kew completion`: the shell script that completes commands, options, queue managers and queues."""

import click
from click.shell_completion import get_completion_class

from kew.cli.group import root_group

_VARIABLE = "_KEW_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that lets SHELL complete kew's commands, options, queue managers and queues.

    \b
    Example, for every shell from now on:
      bash:  kew completion bash >> ~/.bashrc
      zsh:   kew completion zsh >> ~/.zshrc
      fish:  kew completion fish > ~/.config/fish/completions/kew.fish
    """
    found = get_completion_class(shell)
    assert found is not None  # click supports these three
    click.echo(found(root_group(), {}, "kew", _VARIABLE).source())
