"""Little functions written for the demonstration: they are in no corpus, so a benchmark made of them has no leak.

make_sample.py cuts them out by their source text; nothing imports them.
"""


def moving_median(samples, width):
    window, medians = [], []
    for position, sample in enumerate(samples):
        window.append(sample)
        if position >= width:
            window.remove(samples[position - width])
        ordered = sorted(window)
        middle = len(ordered) // 2
        medians.append(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)
    return medians


def roman_numeral(number):
    symbols = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
               (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    written = ""
    for weight, symbol in symbols:
        repeats, number = divmod(number, weight)
        written += symbol * repeats
    return written


def tide_table(harmonics, hours):
    levels = []
    for hour in hours:
        level = 0.0
        for amplitude, period, phase in harmonics:
            angle = 2 * 3.141592653589793 * hour / period + phase
            level += amplitude * cosine(angle)
        levels.append((hour, round(level, 3)))
    return levels


def cosine(angle):
    angle %= 6.283185307179586
    term, total, order = 1.0, 1.0, 0
    while abs(term) > 1e-15:
        order += 2
        term *= -angle * angle / (order * (order - 1))
        total += term
    return total


def knight_distance(start, goal, side):
    frontier, seen, steps = {start}, {start}, 0
    while frontier and goal not in frontier:
        reached = set()
        for column, row in frontier:
            for across, upward in ((1, 2), (2, 1)):
                for square in ((column + across, row + upward), (column - across, row + upward),
                               (column + across, row - upward), (column - across, row - upward)):
                    if square not in seen and min(square) >= 0 and max(square) < side:
                        seen.add(square)
                        reached.add(square)
        frontier, steps = reached, steps + 1
    return steps if frontier else None


def loan_schedule(principal, yearly_rate, months):
    monthly = yearly_rate / 12
    instalment = principal * monthly / (1 - (1 + monthly) ** -months)
    balance, schedule = principal, []
    for month in range(1, months + 1):
        interest = balance * monthly
        balance -= instalment - interest
        schedule.append({"month": month, "interest": interest, "balance": max(balance, 0.0)})
    return instalment, schedule


def columns_to_letters(index):
    letters = ""
    while index > 0:
        index, remainder = divmod(index - 1, 26)
        letters = chr(ord("A") + remainder) + letters
        if index < 0:
            raise ValueError("spreadsheet columns start at one: %d" % index)
    return letters


def flood_fill(picture, seed, paint):
    height, width = len(picture), len(picture[0])
    background = picture[seed[0]][seed[1]]
    pending = [seed] if background != paint else []
    while pending:
        row, column = pending.pop()
        if 0 <= row < height and 0 <= column < width and picture[row][column] == background:
            picture[row][column] = paint
            pending += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return picture


def pack_parcels(parcels, capacity):
    vans = []
    for parcel, volume in sorted(parcels.items(), key=lambda entry: (-entry[1], entry[0])):
        for van in vans:
            if van["free"] >= volume:
                van["load"].append(parcel)
                van["free"] -= volume
                break
        else:
            vans.append({"load": [parcel], "free": capacity - volume})
    return [van["load"] for van in vans]


def phonetic_key(surname):
    groups = {"bfpv": "1", "cgjkqsxz": "2", "dt": "3", "l": "4", "mn": "5", "r": "6"}
    digits = {letter: digit for letters, digit in groups.items() for letter in letters}
    lowered = surname.lower()
    key, previous = lowered[:1].upper(), digits.get(lowered[:1])
    for letter in lowered[1:]:
        digit = digits.get(letter)
        if digit and digit != previous:
            key += digit
        if letter not in "hw":
            previous = digit
    return (key + "000")[:4]


def turnstile_counts(events):
    inside, peak, peak_moment = 0, 0, None
    for moment, direction in sorted(events):
        inside += 1 if direction == "in" else -1
        if inside < 0:
            raise ValueError(f"somebody left an empty building at {moment}")
        if inside > peak:
            peak, peak_moment = inside, moment
    return inside, peak, peak_moment


def stable_marriages(suitors, hosts):
    rank = {host: {name: place for place, name in enumerate(wishes)} for host, wishes in hosts.items()}
    engaged, proposals, single = {}, {name: 0 for name in suitors}, list(suitors)
    while single:
        suitor = single.pop()
        host = suitors[suitor][proposals[suitor]]
        proposals[suitor] += 1
        rival = engaged.get(host)
        if rival is None or rank[host][suitor] < rank[host][rival]:
            engaged[host] = suitor
            suitor = rival
        if suitor is not None:
            single.append(suitor)
    return engaged


def checksum_isbn(code):
    cleaned = [character for character in code if character.isdigit() or character in "xX"]
    if len(cleaned) == 10:
        values = [10 if character in "xX" else int(character) for character in cleaned]
        return sum(weight * value for weight, value in zip(range(10, 0, -1), values)) % 11 == 0
    if len(cleaned) == 13 and "x" not in code.lower():
        return sum(int(character) * (3 if place % 2 else 1) for place, character in enumerate(cleaned)) % 10 == 0
    return False


def weave_playlists(playlists):
    queues = [list(songs) for songs in playlists if songs]
    woven, turn = [], 0
    while queues:
        turn %= len(queues)
        woven.append(queues[turn].pop(0))
        if queues[turn]:
            turn += 1
        else:
            del queues[turn]
    return woven


def bowling_score(rolls):
    score, ball = 0, 0
    for frame in range(10):
        first = rolls[ball]
        if first == 10:
            score += 10 + rolls[ball + 1] + rolls[ball + 2]
            ball += 1
        else:
            knocked = first + rolls[ball + 1]
            score += knocked + (rolls[ball + 2] if knocked == 10 else 0)
            ball += 2
    return score


def ration_water(tanks, demand):
    supply = sum(tanks.values())
    if demand > supply:
        raise ValueError(f"{demand} litres wanted, {supply} litres stored")
    drawn = {}
    for tank, litres in sorted(tanks.items(), key=lambda pair: pair[1], reverse=True):
        drawn[tank] = min(litres, demand)
        demand -= drawn[tank]
    return drawn


def rotate_ring(tiles, quarter_turns):
    grid = [list(line) for line in tiles]
    for _ in range(quarter_turns % 4):
        rotated = []
        for column in range(len(grid[0])):
            rotated.append([grid[row][column] for row in range(len(grid) - 1, -1, -1)])
        grid = rotated
    return ["".join(line) for line in grid]


def sunrise_warning(forecast, threshold):
    warnings, streak = [], 0
    for day in forecast:
        streak = streak + 1 if day["minimum"] < threshold else 0
        if streak == 3:
            warnings.append({"day": day["date"], "kind": "frost", "minimum": day["minimum"]})
        elif streak > 3:
            warnings[-1]["minimum"] = min(warnings[-1]["minimum"], day["minimum"])
    return warnings


def braille_cells(message, alphabet):
    cells, unknown = [], set()
    for symbol in message:
        dots = alphabet.get(symbol.lower())
        if dots is None:
            unknown.add(symbol)
            continue
        if symbol.isupper():
            cells.append(alphabet["capital"])
        cells.append(sum(1 << (dot - 1) for dot in dots))
    return bytes(cells), sorted(unknown)


def orchard_yield(rows, spacing, diseased):
    harvest = 0.0
    for row_number, trees in enumerate(rows):
        for tree_number, kilograms in enumerate(trees):
            sick = any(abs(row_number - other_row) + abs(tree_number - other_tree) <= spacing
                       for other_row, other_tree in diseased)
            harvest += kilograms * (0.4 if sick else 1.0)
    return harvest


def seat_groups(groups, benches):
    plan, remaining = {}, dict(benches)
    for group, people in sorted(groups.items(), key=lambda item: -item[1]):
        fitting = [bench for bench, free in remaining.items() if free >= people]
        if not fitting:
            return None
        bench = min(fitting, key=lambda candidate: remaining[candidate])
        remaining[bench] -= people
        plan[group] = bench
    return plan


def triangle_kind(sides):
    shortest, middle, longest = sorted(sides)
    if shortest <= 0 or shortest + middle <= longest:
        return "impossible"
    if shortest == longest:
        return "equilateral"
    shape = "isosceles" if shortest == middle or middle == longest else "scalene"
    corner = shortest ** 2 + middle ** 2 - longest ** 2
    return shape + (" right" if corner == 0 else " acute" if corner > 0 else " obtuse")


def compress_runs(heights):
    runs = []
    for height in heights:
        if runs and runs[-1][0] == height:
            runs[-1][1] += 1
        else:
            runs.append([height, 1])
    flattened = [value for run in runs for value in run]
    return flattened if len(flattened) < len(heights) else list(heights)


def elevator_stops(requests, floor, capacity):
    stops, riders = [], 0
    upward = sorted(request for request in requests if request[0] >= floor)
    downward = sorted((request for request in requests if request[0] < floor), reverse=True)
    for storey, boarding in upward + downward:
        if riders + boarding > capacity:
            continue
        riders += boarding
        if not stops or stops[-1] != storey:
            stops.append(storey)
    return stops, riders


def hexagon_neighbours(column, row, width, height):
    offset = 1 if row % 2 else -1
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1),
              (column + offset, row - 1), (column + offset, row + 1)]
    inside = [place for place in around if 0 <= place[0] < width and 0 <= place[1] < height]
    return sorted(inside, key=lambda place: (place[1], place[0]))


def translate_codons(strand, code):
    protein, position = [], strand.find("AUG")
    while 0 <= position <= len(strand) - 3:
        codon = strand[position:position + 3]
        residue = code.get(codon, "?")
        if residue == "stop":
            break
        protein.append(residue)
        position += 3
    return "-".join(protein)


def fuel_stops(distance, stations, tank_range):
    position, visited = 0, []
    stations = sorted(stations) + [distance]
    for station, following in zip(stations, stations[1:] + [distance]):
        if station - position > tank_range:
            return None
        if following - position > tank_range:
            visited.append(station)
            position = station
    return visited


def merge_shifts(shifts, pause):
    merged = []
    for worker, begin, finish in sorted(shifts):
        if merged and merged[-1][0] == worker and begin - merged[-1][2] <= pause:
            merged[-1] = (worker, merged[-1][1], max(finish, merged[-1][2]))
        else:
            merged.append((worker, begin, finish))
    return merged


def marble_mean(bag, draws):
    total = sum(bag.values())
    expected = {}
    for colour, marbles in bag.items():
        missing = 1.0
        for drawn in range(draws):
            missing *= max(total - marbles - drawn, 0) / (total - drawn)
        expected[colour] = 1.0 - missing
    return expected


def spiral_walk(board):
    visited = []
    while board:
        visited.extend(board[0])
        remaining = board[1:]
        columns = range(len(remaining[0]) - 1, -1, -1) if remaining else ()
        board = [[line[column] for line in remaining] for column in columns]
    return visited


def recycle_points(bins, prices, bonus_weight):
    points, bonus = {}, 0
    for household, kind, kilograms in bins:
        earned = prices.get(kind, 0) * kilograms
        points[household] = points.get(household, 0) + earned
        if kilograms >= bonus_weight:
            bonus += 1
            points[household] += bonus
    return sorted(points.items(), key=lambda pair: (-pair[1], pair[0]))


def calendar_grid(first_weekday, length):
    weeks, week = [], [None] * first_weekday
    for day in range(1, length + 1):
        week.append(day)
        if len(week) == 7:
            weeks.append(week)
            week = []
    if week:
        weeks.append(week + [None] * (7 - len(week)))
    return weeks


def domino_chain(dominoes, start):
    chain, spare, open_end = [], list(dominoes), start
    while True:
        matching = [piece for piece in spare if open_end in piece]
        if not matching:
            return chain, spare
        piece = max(matching, key=sum)
        spare.remove(piece)
        open_end = piece[1] if piece[0] == open_end else piece[0]
        chain.append(piece)


def grade_curve(marks, quotas):
    order = sorted(marks, key=lambda student: -marks[student])
    grades, place = {}, 0
    for grade, share in quotas:
        seats = round(share * len(order))
        for student in order[place:place + seats]:
            grades[student] = grade
        place += seats
    for student in order[place:]:
        grades[student] = quotas[-1][0]
    return grades


def caesar_break(ciphertext, frequencies):
    best_shift, best_distance = 0, float("inf")
    letters = [symbol for symbol in ciphertext.lower() if "a" <= symbol <= "z"]
    for shift in range(26):
        distance = 0.0
        for letter, wanted in frequencies.items():
            shifted = chr((ord(letter) - 97 + shift) % 26 + 97)
            distance += (letters.count(shifted) / max(len(letters), 1) - wanted) ** 2
        if distance < best_distance:
            best_shift, best_distance = shift, distance
    return best_shift


def bakery_batches(orders, oven):
    batches, trays, minutes = [], 0, 0
    for pastry in sorted(orders, key=lambda item: item["bake"]):
        needed = -(-pastry["pieces"] // pastry["per_tray"])
        if trays + needed > oven:
            batches.append((trays, minutes))
            trays, minutes = 0, 0
        trays += needed
        minutes = max(minutes, pastry["bake"])
    if trays:
        batches.append((trays, minutes))
    return batches


def lighthouse_pattern(flashes, period):
    if sum(flash + dark for flash, dark in flashes) != period:
        raise ValueError(f"the pattern does not fill its period of {period} s")
    timeline, clock = [], 0
    for flash, dark in flashes:
        timeline.append((clock, clock + flash))
        clock += flash + dark
    return timeline


def gear_ratios(chainrings, sprockets, circumference):
    table = []
    for ring in sorted(chainrings):
        for sprocket in sorted(sprockets, reverse=True):
            development = ring / sprocket * circumference
            table.append({"ring": ring, "sprocket": sprocket, "metres": round(development, 2)})
    table.sort(key=lambda gear: gear["metres"])
    return [gear for previous, gear in zip([None] + table, table)
            if previous is None or gear["metres"] > previous["metres"]]


def library_fines(loans, today, daily, ceiling):
    fines = {}
    for reader, due, returned in loans:
        late = (returned or today) - due
        if late > 0:
            owed = min(late * daily, ceiling)
            fines[reader] = fines.get(reader, 0) + owed
    debtors = [reader for reader, owed in fines.items() if owed >= ceiling]
    return fines, sorted(debtors)


def river_crossing(travellers, boat):
    crossing, minutes = sorted(travellers), 0
    while len(crossing) > boat:
        fastest, second, slowest = crossing[0], crossing[1], crossing[-1]
        shuttle = 2 * fastest + slowest + crossing[-2]
        escort = fastest + 2 * second + slowest
        minutes += min(shuttle, escort)
        crossing = crossing[:-2]
    return minutes + (crossing[-1] if crossing else 0)
