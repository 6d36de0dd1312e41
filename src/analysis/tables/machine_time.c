/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_time.h"

#include "sentences/thresholds.h"

nsec_t machine_time(const struct question *question, uint32_t machine)
{
	const struct hosts *hosts = &question->timeline->hosts;
	nsec_t begin, end;

	if (hosts->count == 0)
		return question_length(question);
	begin = nsec_max(question->resolved->begin, hosts->host[machine].begin);
	end = nsec_min(question->resolved->end, hosts->host[machine].end);
	return end > begin ? end - begin : 0;
}

nsec_t cpu_time(const struct question *question, uint32_t cpu)
{
	return machine_time(question, hosts_of_cpu(&question->timeline->hosts, cpu));
}

bool cpu_is_unrecorded(const struct question *question, uint32_t cpu)
{
	for (size_t i = 0; i < question->health->unrecorded_count; i++)
		if (question->health->unrecorded_cpus[i] == cpu)
			return true;
	return false;
}

uint32_t machine_cpus(const struct question *question, uint32_t machine)
{
	const struct hosts *hosts = &question->timeline->hosts;
	const struct health *health = question->health;
	uint32_t count = hosts_cpu_count(hosts, machine, question->recording.cpu_count);

	for (size_t i = 0; i < health->unrecorded_count && count > 0; i++)
		count -= hosts_of_cpu(hosts, health->unrecorded_cpus[i]) == machine &&
		         health->unrecorded_cpus[i] < question->recording.cpu_count;
	return count;
}

nsec_t cpus_time(const struct question *question)
{
	uint64_t count = question->asked->cpus.count ? question->asked->cpus.count
	                                            : machine_cpus(question, 0);
	nsec_t sum = 0;

	if (question->timeline->hosts.count == 0)
		return count * question_length(question);
	for (uint32_t cpu = 0; cpu < question->recording.cpu_count; cpu++)
		if (question_asks_cpu(question, cpu) && !cpu_is_unrecorded(question, cpu))
			sum += cpu_time(question, cpu);
	return sum;
}

double cpu_use_busy(const struct cpu_use *use)
{
	return use->cpus ? nsec_ratio(use->running, use->length) / use->cpus : 0;
}

double cpu_use_demand(const struct cpu_use *use)
{
	return nsec_ratio(use->running + use->runnable, use->length);
}

bool cpu_use_is_full(const struct cpu_use *use)
{
	return cpu_use_busy(use) >= PART_ALWAYS;
}

bool cpu_use_is_too_little(const struct cpu_use *use)
{
	return cpu_use_is_full(use) && cpu_use_demand(use) >= use->cpus * CROWD_LEAST;
}
