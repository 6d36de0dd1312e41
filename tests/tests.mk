# SPDX-License-Identifier: GPL-2.0-or-later
# Included by the top Makefile: everything that tests, lints and measures.

TEST_SOURCES := $(wildcard tests/unit/*.c tests/unit/*/*.c)
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(B)/%.o)
CHECK_CFLAGS = $(shell $(PKG_CONFIG) --cflags check)
CHECK_LIBS = $(shell $(PKG_CONFIG) --libs check)

$(B)/tests/unit/%.o: FT_CPPFLAGS += $(CHECK_CFLAGS) -Itests/unit

$(B)/unit: $(TEST_OBJECTS) $(B)/libftwait.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FT_LDFLAGS) -o $@ $(TEST_OBJECTS) $(B)/libftwait.a $(CHECK_LIBS) $(LIB_LIBS) -lpthread

unit: $(B)/unit
	$(B)/unit

-include $(TEST_OBJECTS:.o=.d)
