# SPDX-License-Identifier: GPL-2.0-or-later
# The sources of the variant, in SOURCES, and the objects that libftwait.a has of them, in OBJECTS.

ifeq ($(RECORDER),)
ALL_SOURCES := $(wildcard src/*/*.c src/*/*/*.c)
else
# A recorder consists of these folders, and of single files of the layers above.
ALL_SOURCES := $(wildcard $(patsubst %,src/%/*.c,base base/* words words/* catalog source \
	source/file source/stream source/text recorder/*)) \
	src/present/data/json_writer.c src/present/text/text_fold.c \
	$(addprefix src/cmd/,cleanup_command.c commands.c doctor_command.c help_command.c \
	list_command.c memory_end.c options/option_help.c options/option_parser.c other_tools.c \
	pager.c record_command.c record/record_run.c standard_output.c terminal.c)
endif

# Where files are left out, because a library is missing or a recorder needs them not, one file X_absent.c
# stands for them: it says so to the user who asks for what they do.
LEFT_OUT :=
ABSENT :=
ifneq ($(RECORDER),)
LEFT_OUT += src/source/file/unpack.c src/recorder/drain/page_packer.c
ABSENT += $(addprefix src/,analysis/analysis_absent.c recorder/drain/page_packer_absent.c \
	cmd/flight/flight_absent.c cmd/help_topics_absent.c source/file/unpack_absent.c)
else
ifneq ($(WITHOUT_LIBTRACECMD),)
LEFT_OUT += $(wildcard src/reference/*.c)
ABSENT += src/reference/tracecmd_absent.c
endif
ifneq ($(WITHOUT_LIBTRACEEVENT),)
LEFT_OUT += $(patsubst %,src/raw/%.c,event_text event_text_child)
ABSENT += src/raw/event_text_absent.c
endif
ifneq ($(WITHOUT_LIBELF),)
LEFT_OUT += $(patsubst %,src/symbolize/%.c,user_symbols kernel_image elf_image)
ABSENT += src/symbolize/user_symbols_absent.c
endif
ifneq ($(WITHOUT_LIBLZMA),)
LEFT_OUT += src/symbolize/unxz.c
ABSENT += src/symbolize/unxz_absent.c
endif
ifneq ($(WITHOUT_LIBIBERTY),)
LEFT_OUT += src/symbolize/demangle.c
ABSENT += src/symbolize/demangle_absent.c
endif
endif
LEFT_OUT += $(if $(WITHOUT_LIBTRACEFS),,$(wildcard src/recorder/plain/*.c))
SOURCES := $(ABSENT) $(filter-out src/cmd/main.c %_absent.c $(LEFT_OUT),$(ALL_SOURCES))

# The pages and the help are files of other kinds, which the Makefile makes C of.
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(if $(RECORDER),,$(B)/html_assets.o $(B)/help_text.o)
