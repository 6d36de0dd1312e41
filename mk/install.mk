# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed, and where, below DESTDIR.
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/ftwait
BASHCOMPDIR ?= $(DATADIR)/bash-completion/completions
ZSHCOMPDIR ?= $(DATADIR)/zsh/site-functions
FISHCOMPDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
WITHOUT_MAN ?=
WITHOUT_COMPLETION ?=

# Each is FILE:PLACE:MODE.
PROGRAM := $(B)/ftwait$(if $(filter install-strip,$(MAKECMDGOALS)),.stripped)
section_of = $(lastword $(subst ., ,$(1)))
MAN_PLACES := $(foreach m,$(wildcard man/*.[1-8]),$m:$(MANDIR)/man$(call section_of,$m)/$(notdir $m):644)
# The recordings that README, ftwait-tutorial(7) and ftwait-views(7) report.
EXAMPLES := fixtures/demo.dat $(wildcard fixtures/tutorial_*.dat fixtures/three/*.dat.zst)
EXAMPLE_PLACES := $(foreach e,$(EXAMPLES),$e:$(DOCDIR)/examples/$(e:fixtures/%=%):644)
COMPLETION_PLACES := contrib/ftwait.bash:$(BASHCOMPDIR)/ftwait:644 \
	contrib/_ftwait:$(ZSHCOMPDIR)/_ftwait:644 contrib/ftwait.fish:$(FISHCOMPDIR)/ftwait.fish:644
INSTALLED := $(PROGRAM):$(BINDIR)/ftwait:755 $(if $(WITHOUT_MAN),,$(MAN_PLACES) $(EXAMPLE_PLACES))
INSTALLED += $(if $(WITHOUT_COMPLETION),,$(COMPLETION_PLACES))

field = $(word $(1),$(subst :, ,$(2)))
PLACES := $(foreach i,$(INSTALLED),$(call field,2,$i))
define install_one
$(INSTALL) -D -m $(call field,3,$(1)) $(call field,1,$(1)) "$(DESTDIR)$(call field,2,$(1))"

endef
define remove_one
rm -f "$(DESTDIR)$(1)"

endef

install-strip: $(PROGRAM)
install install-strip: all
	$(foreach i,$(INSTALLED),$(call install_one,$i))

# The folders that are ours alone to make; of others uninstall leaves them, empty or not, but in a
# DESTDIR, which has nothing else.
OWN_FOLDERS := $(foreach d,$(BASHCOMPDIR) $(ZSHCOMPDIR) $(FISHCOMPDIR),$d $(dir $d)) \
	$(DOCDIR)/examples/three $(DOCDIR)/examples $(DOCDIR)

uninstall:
	$(foreach p,$(PLACES),$(call remove_one,$p))
ifneq ($(DESTDIR),)
	@cd "$(DESTDIR)" 2> /dev/null && \
		rmdir -p $(patsubst /%,%,$(sort $(dir $(PLACES)))) 2> /dev/null || true
else
	@for folder in $(OWN_FOLDERS); do rmdir $$folder; done 2> /dev/null || true
endif

.PHONY: install install-strip uninstall
