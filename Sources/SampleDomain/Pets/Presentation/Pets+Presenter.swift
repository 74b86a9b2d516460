public import Foundation
import Relux
public import SampleServices

extension Pets {
    /// Makes of the state what people read.
    ///
    /// A front end shows the texts as they are; what it decides is where they stand. Texts that came from the service
    /// are not made safe for a terminal.
    public struct Presenter: Sendable {
        /// How numbers and dates are written.
        public var locale: Locale

        /// Whose midnight it is that ends a day.
        public var timeZone: TimeZone

        /// How years, months and days are counted where dates are shown.
        public var calendar: Calendar

        /// The time that ages are counted to.
        public var now: @Sendable () -> Date

        /// Makes a presenter. The defaults are those of the user.
        ///
        /// - Parameters:
        ///   - locale: How numbers and dates are written.
        ///   - timeZone: Whose midnight it is that ends a day.
        ///   - calendar: How years, months and days are counted where dates are shown.
        ///   - now: The time that ages are counted to.
        public init(
            locale: Locale = .current,
            timeZone: TimeZone = .current,
            calendar: Calendar = .current,
            now: @escaping @Sendable () -> Date = { .now }
        ) {
            self.locale = locale
            self.timeZone = timeZone
            self.calendar = calendar
            self.now = now
        }

        /// What stands for anything that nobody knows.
        public static let unknown = "unknown"
    }
}

extension Pets.Presenter {
    /// The list of all pets.
    ///
    /// - Parameter state: What is known.
    /// - Returns: What to show.
    public func listing(of state: Pets.State) -> Pets.Listing {
        let rows = (state.catalogue.value ?? Relux.Entities()).map { summary in
            Pets.Listing.Row(
                id: summary.id,
                name: known(summary.name),
                species: known(summary.species),
                age: age(since: summary.birthday),
                colour: summary.colour?.hex
            )
        }
        let isEmpty = state.catalogue.isLoaded && rows.isEmpty
        let emptiness = isEmpty ? Pets.Notice(.information, ["There are no pets."]) : nil
        return Pets.Listing(rows: rows, notice: notice(of: .catalogue, state.catalogue, state) ?? emptiness)
    }

    /// The page of one pet. What the catalogue says of it is there before the rest.
    ///
    /// - Parameters:
    ///   - id: The id of the pet.
    ///   - state: What is known.
    /// - Returns: What to show.
    public func page(of id: Pet.ID, in state: Pets.State) -> Pets.Page {
        let details = state.details(of: id)
        var fields: [Pets.Page.Field] = []
        let summary = state.summary(of: id)
        if let summary {
            fields = [
                Pets.Page.Field(.species, known(summary.species)),
                Pets.Page.Field(.born, summary.birthday.map(day) ?? Self.unknown),
                Pets.Page.Field(.age, age(since: summary.birthday)),
                Pets.Page.Field(.colour, summary.colour?.hex ?? Self.unknown),
            ]
        }
        if let pet = details.value {
            fields += [
                Pets.Page.Field(.arrived, pet.arrived.map(date) ?? Self.unknown),
                Pets.Page.Field(.phone, phone(pet.phone)),
                Pets.Page.Field(.about, known(pet.about)),
            ]
        }
        return Pets.Page(
            id: id, name: known(summary?.name), fields: fields, notice: notice(of: .pet(id), details, state)
        )
    }

    /// What there is to say while a load goes on longer than it should.
    ///
    /// - Parameter setback: The last try that failed.
    /// - Returns: What to show.
    public func notice(of setback: Pets.Setback) -> Pets.Notice {
        let next = (setback.attempt + 1).formatted(.number.locale(locale))
        let limit = setback.limit.formatted(.number.locale(locale))
        return Pets.Notice(.progress, [explain(setback.failure), "Trying again (\(next) of \(limit))."])
    }

    private func notice<Value>(
        of subject: Pets.Subject,
        _ loadable: Relux.Loadable<Value, PetsServiceError>,
        _ state: Pets.State
    ) -> Pets.Notice? {
        switch loadable {
        case .idle, .loaded: return nil
        case .loading: return state.setback(of: subject).map(notice) ?? Pets.Notice(.progress, ["Loading."])
        case .failed(let error, let previous):
            let rest = previous == nil ? [] : ["What is shown was loaded before."]
            return Pets.Notice(.failure, [explain(error), error.advice] + rest)
        }
    }

    private func explain(_ error: PetsServiceError) -> String { "\(error.place): \(error.explanation)" }

    private func known(_ text: String?) -> String {
        let text = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? Self.unknown : text
    }

    private func age(since birthday: Pet.Day?) -> String {
        guard let birthday else { return Self.unknown }
        return Pets.AgeStyle(now: now(), timeZone: timeZone, locale: locale).format(birthday) ?? Self.unknown
    }

    private func day(_ day: Pet.Day) -> String {
        Pets.DayStyle(locale: locale, calendar: calendar).format(day)
    }

    private func date(_ date: Date) -> String {
        Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, calendar: calendar, timeZone: timeZone)
            .format(date)
    }

    private func phone(_ phone: String?) -> String {
        let phone = known(phone)
        return phone == Self.unknown ? phone : Pets.PhoneStyle().format(phone)
    }
}
