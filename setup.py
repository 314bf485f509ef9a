"""Builds Kew: the modules in COMPILED become one native unit where a C compiler exists.

KEW_PURE=1 builds the interpreted package. KEW_REQUIRE_COMPILED=1 makes a failed native build an error
instead of a fall-back, so that a test run never takes one build for the other.
"""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

# Every module on the path of a put, a get and a commit, from the socket on; each has a benchmark that earned its place.
COMPILED = (
    "src/kew/formats/binary.py",
    "src/kew/formats/mqmd.py",
    "src/kew/formats/descriptortemplate.py",
    "src/kew/formats/mqpmr.py",
    "src/kew/formats/mqrfh2.py",
    "src/kew/formats/properties.py",
    "src/kew/storage/checksum.py",
    "src/kew/storage/page.py",
    "src/kew/storage/stall.py",
    "src/kew/storage/fileheader.py",
    "src/kew/storage/pages/records.py",
    "src/kew/storage/message.py",
    "src/kew/storage/log/ticket.py",
    "src/kew/storage/unit.py",
    "src/kew/storage/xid.py",
    "src/kew/storage/logaddress.py",
    "src/kew/storage/log/errors.py",
    "src/kew/storage/log/record.py",
    "src/kew/storage/log/latch.py",
    "src/kew/storage/log/interrupts.py",
    "src/kew/storage/log/buffer.py",
    "src/kew/storage/log/counters.py",
    "src/kew/storage/log/copies.py",
    "src/kew/storage/log/writer.py",
    "src/kew/storage/log/page.py",
    "src/kew/storage/log/reader.py",
    "src/kew/storage/log/extents.py",
    "src/kew/storage/log/maintenance.py",
    "src/kew/storage/log/log.py",
    "src/kew/storage/buffers/frame.py",
    "src/kew/storage/buffers/dirty.py",
    "src/kew/storage/buffers/pagefile.py",
    "src/kew/storage/buffers/pool.py",
    "src/kew/storage/buffers/doublewrite.py",
    "src/kew/storage/buffers/deferred.py",
    "src/kew/storage/pages/spacemap.py",
    "src/kew/storage/pages/pageset.py",
    "src/kew/storage/pages/directory.py",
    "src/kew/storage/pages/chain.py",
    "src/kew/storage/pages/item.py",
    "src/kew/storage/pages/blob.py",
    "src/kew/storage/pages/unforced.py",
    "src/kew/storage/pages/items.py",
    "src/kew/storage/pages/participant.py",
    "src/kew/storage/pages/longitem.py",
    "src/kew/storage/recovery/units.py",
    "src/kew/storage/recovery/attempt.py",
    "src/kew/storage/recovery/checkpoint.py",
    "src/kew/storage/recovery/redo.py",
    "src/kew/storage/recovery/trail.py",
    "src/kew/storage/recovery/restart.py",
    "src/kew/selection/lexer.py",
    "src/kew/selection/fields.py",
    "src/kew/selection/tree.py",
    "src/kew/selection/parser.py",
    "src/kew/selection/selector.py",
    "src/kew/queues/match.py",
    "src/kew/queues/index.py",
    "src/kew/queues/indexing.py",
    "src/kew/queues/propertyindex.py",
    "src/kew/queues/cursor.py",
    "src/kew/queues/waiters.py",
    "src/kew/queues/monitor.py",
    "src/kew/queues/statistics.py",
    "src/kew/queues/store.py",
    "src/kew/queues/content.py",
    "src/kew/queues/selectorscans.py",
    "src/kew/queues/private.py",
    "src/kew/queues/queue.py",
    "src/kew/queues/trigger.py",
    "src/kew/queues/marks.py",
    "src/kew/queues/groups.py",
    "src/kew/queues/registry.py",
    "src/kew/queues/expiry.py",
    "src/kew/topics/patterns.py",
    "src/kew/topics/index.py",
    "src/kew/topics/tree.py",
    "src/kew/topics/subscription.py",
    "src/kew/topics/copyproperties.py",
    "src/kew/topics/retained.py",
    "src/kew/topics/space.py",
    "src/kew/accounting/calls.py",
    "src/kew/accounting/tracetable.py",
    "src/kew/accounting/account.py",
    "src/kew/accounting/program.py",
    "src/kew/mqi/options.py",
    "src/kew/mqi/messages/transform.py",
    "src/kew/mqi/connections/handles.py",
    "src/kew/mqi/shortages.py",
    "src/kew/mqi/engine.py",
    "src/kew/mqi/connections/connection.py",
    "src/kew/mqi/connections/metering.py",
    "src/kew/mqi/gets/positions.py",
    "src/kew/mqi/messages/reply.py",
    "src/kew/mqi/messages/propertycontrol.py",
    "src/kew/mqi/delivery/longput.py",
    "src/kew/mqi/delivery/triggermessages.py",
    "src/kew/mqi/publishing/copytemplate.py",
    "src/kew/mqi/connections/logicalorder.py",
    "src/kew/mqi/gets/groups.py",
    "src/kew/mqi/gets/browsemarks.py",
    "src/kew/mqi/messages/extension.py",
    "src/kew/mqi/delivery/delivery.py",
    "src/kew/mqi/delivery/delay.py",
    "src/kew/mqi/delivery/atomicput.py",
    "src/kew/mqi/delivery/destination.py",
    "src/kew/mqi/delivery/deadletter.py",
    "src/kew/mqi/delivery/reports.py",
    "src/kew/mqi/delivery/streaming.py",
    "src/kew/mqi/delivery/followups.py",
    "src/kew/mqi/puts/request.py",
    "src/kew/mqi/puts/target.py",
    "src/kew/mqi/puts/put.py",
    "src/kew/mqi/publishing/publication.py",
    "src/kew/mqi/publishing/publish.py",
    "src/kew/mqi/puts/remote.py",
    "src/kew/mqi/publishing/topicstream.py",
    "src/kew/mqi/gets/request.py",
    "src/kew/mqi/gets/deliveryreport.py",
    "src/kew/mqi/gets/setaside.py",
    "src/kew/mqi/gets/reservations.py",
    "src/kew/mqi/gets/get.py",
    "src/kew/mqi/transactions/units.py",
    "src/kew/mqi/local/waiter.py",
    "src/kew/mqi/local/gets.py",
    "src/kew/mqi/objects/distribution.py",
    "src/kew/mqi/local/connection.py",
    "src/kew/mqi/local/objects.py",
    "src/kew/mqi/local/queuewatch.py",
    "src/kew/channels/mca/deadletters.py",
    "src/kew/channels/mca/delivery.py",
    "src/kew/channels/mca/doubt.py",
    "src/kew/channels/mca/instance.py",
    "src/kew/channels/mca/outward.py",
    "src/kew/channels/mca/receiver.py",
    "src/kew/channels/mca/receivinginstance.py",
    "src/kew/channels/mca/record.py",
    "src/kew/channels/mca/sender.py",
    "src/kew/channels/mca/sendinginstance.py",
    "src/kew/channels/mca/syncqueue.py",
    "src/kew/channels/mca/transmission.py",
    "src/kew/channels/mca/waker.py",
    "src/kew/channels/protocol/batch.py",
    "src/kew/channels/protocol/bodies.py",
    "src/kew/channels/protocol/client.py",
    "src/kew/channels/protocol/compression.py",
    "src/kew/channels/protocol/control.py",
    "src/kew/channels/protocol/conversation.py",
    "src/kew/channels/protocol/delivery.py",
    "src/kew/channels/protocol/descriptor.py",
    "src/kew/channels/protocol/dialect.py",
    "src/kew/channels/protocol/errors.py",
    "src/kew/channels/protocol/events.py",
    "src/kew/channels/protocol/framing.py",
    "src/kew/channels/protocol/identity.py",
    "src/kew/channels/protocol/lifecycle.py",
    "src/kew/channels/protocol/messages.py",
    "src/kew/channels/protocol/mqapi.py",
    "src/kew/channels/protocol/negotiate.py",
    "src/kew/channels/protocol/options.py",
    "src/kew/channels/protocol/packing.py",
    "src/kew/channels/protocol/headers.py",
    "src/kew/channels/protocol/receiving.py",
    "src/kew/channels/protocol/resync.py",
    "src/kew/channels/protocol/segments.py",
    "src/kew/channels/protocol/sending.py",
    "src/kew/channels/protocol/server.py",
    "src/kew/channels/protocol/session.py",
    "src/kew/channels/protocol/spi.py",
    "src/kew/channels/protocol/spimessages.py",
    "src/kew/channels/protocol/states.py",
    "src/kew/channels/protocol/status.py",
    "src/kew/channels/protocol/structures.py",
    "src/kew/channels/protocol/subscription.py",
    "src/kew/channels/protocol/xa.py",
    "src/kew/channels/transport/loop.py",
    "src/kew/channels/transport/alarm.py",
    "src/kew/channels/transport/listener.py",
    "src/kew/channels/transport/tls.py",
    "src/kew/channels/transport/memory.py",
    "src/kew/channels/transport/tcp.py",
    "src/kew/channels/transport/workers.py",
    "src/kew/channels/agents/acknowledgements.py",
    "src/kew/channels/agents/resources.py",
    "src/kew/channels/agents/callqueue.py",
    "src/kew/channels/agents/getcall.py",
    "src/kew/channels/agents/getmatch.py",
    "src/kew/channels/agents/readahead.py",
    "src/kew/channels/agents/getcalls.py",
    "src/kew/channels/agents/objects.py",
    "src/kew/channels/agents/transactions.py",
    "src/kew/channels/agents/put1call.py",
    "src/kew/channels/agents/putcalls.py",
    "src/kew/channels/agents/program.py",
    "src/kew/channels/agents/serverconversation.py",
    "src/kew/channels/agents/channels.py",
    "src/kew/channels/agents/pendingconnections.py",
    "src/kew/channels/agents/svrconn.py",
    "src/kew/channels/agents/registry.py",
    "src/kew/client/arguments.py",
    "src/kew/client/link.py",
    "src/kew/client/readahead.py",
    "src/kew/client/openobject.py",
    "src/kew/client/received.py",
    "src/kew/client/asyncput.py",
    "src/kew/client/get.py",
    "src/kew/client/verbs.py",
    "src/kew/client/requests.py",
    "src/kew/client/securesocket.py",
    "src/kew/faces/descriptors.py",
)

BUILDING = {"bdist_wheel", "build", "build_ext", "install", "editable_wheel", "develop"}


def say(line: str) -> None:
    """Tells whoever builds which kind of build this is (pip shows it with -v)."""
    print(f"kew: {line}", file=sys.stderr)


def compiler_works() -> bool:
    """Whether a C compiler can build an extension here: a compiler without Python.h is of no use."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n")
        command = build_ext(Distribution({"ext_modules": [Extension("probe", [str(source)])]}))
        command.build_lib = command.build_temp = folder
        try:
            command.ensure_finalized()
            command.run()
        except (BaseError, CCompilerError, OSError):
            return False
    return True


def native_modules() -> list[Extension]:
    """The extensions of the compiled unit, or none with the reason said."""
    required = os.environ.get("KEW_REQUIRE_COMPILED") == "1"
    if not BUILDING.intersection(sys.argv):
        return []
    if os.environ.get("KEW_PURE") == "1":
        say("interpreted build, as KEW_PURE=1 asks")
        return []
    problem = ""
    extensions: list[Extension] = []
    if not compiler_works():
        problem = "no working C compiler with Python's headers"
    else:
        try:
            from mypyc.build import mypycify

            extensions = mypycify(list(COMPILED), opt_level="2", debug_level="0", group_name="kew", multi_file=True)
        except ImportError:
            problem = "mypyc is not installed"
        except SystemExit:
            problem = "mypyc refused a module, see above"
    if problem:
        if required:
            sys.exit(f"kew: cannot compile: {problem}")
        say(f"interpreted build: {problem}; everything works, only slower")
        return []
    if sys.platform.startswith("linux"):
        # Nobody replaces a function of the unit from outside: a call need not look for one, it is direct or inlined.
        for extension in extensions:
            extension.extra_compile_args = [*(extension.extra_compile_args or []), "-fno-semantic-interposition"]
            extension.extra_link_args = [*(extension.extra_link_args or []), "-s", "-Wl,-Bsymbolic-functions"]
    say(f"compiled build: {len(COMPILED)} modules")
    return extensions


def compile_side_by_side(compiler: Any) -> None:
    """Lets a compiler use every core: the unit is one extension of many C files, which setuptools compiles in a row."""

    def compile_all(
        sources: list[str],
        output_dir: str | None = None,
        macros: list[Any] | None = None,
        include_dirs: list[str] | None = None,
        debug: bool = False,
        extra_preargs: list[str] | None = None,
        extra_postargs: list[str] | None = None,
        depends: list[str] | None = None,
    ) -> list[str]:
        _macros, objects, postargs, options, build = compiler._setup_compile(
            output_dir, macros, include_dirs, sources, depends, extra_postargs
        )
        arguments = compiler._get_cc_args(options, debug, extra_preargs)

        def compile_one(target: str) -> None:
            source, extension = build[target]
            compiler._compile(target, source, extension, arguments, postargs, options)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, [target for target in objects if target in build]))
        return list(objects)

    compiler.compile = compile_all


class BuildNative(build_ext):
    """Builds the compiled unit whole or not at all, and leaves no module of an earlier build behind."""

    def build_extensions(self) -> None:
        """Compiles on every core."""
        compile_side_by_side(self.compiler)
        super().build_extensions()

    def run(self) -> None:
        """Compiles; a failure of the C compiler turns this into an interpreted build."""
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as problem:
            if os.environ.get("KEW_REQUIRE_COMPILED") == "1":
                raise
            say(f"interpreted build: the C compiler failed ({type(problem).__name__}); everything works, only slower")
            self.extensions = []
        self.remove_stale()

    def remove_stale(self) -> None:
        """Removes native modules that this build did not make: Python would prefer them to the source."""
        if self.inplace:
            return
        made = {os.path.abspath(path) for path in self.get_outputs()}
        for path in Path(self.build_lib).rglob("*.so"):
            if os.path.abspath(path) not in made:
                path.unlink()


def shared_files() -> list[tuple[str, list[str]]]:
    """What goes below share/ of an environment: completions, the service, manual pages where `make dist` made them."""
    files = [
        ("share/bash-completion/completions", ["packaging/completions/kew"]),
        ("share/zsh/site-functions", ["packaging/completions/_kew"]),
        ("share/fish/vendor_completions.d", ["packaging/completions/kew.fish"]),
        ("share/kew/systemd", ["packaging/systemd/kew@.service"]),
    ]
    for folder in sorted(Path("packaging/man").glob("man*")):
        files.append((f"share/man/{folder.name}", sorted(map(str, folder.iterdir()))))
    return files


setup(ext_modules=native_modules(), cmdclass={"build_ext": BuildNative}, data_files=shared_files())
